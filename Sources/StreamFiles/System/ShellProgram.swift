/// A command line of the shell that is started again whenever it ends.
package final class ShellProgram {
  package let command: String
  private let readsOutput: Bool
  private let keepsUnread: Bool
  /// The process; nil while none runs.
  package private(set) var process: PipedProcess?
  private var backoff = RestartBackoff()
  /// When the process was started, and when the next one may be. In nanoseconds.
  private var started: Int64 = 0
  private var nextStart: Int64 = 0

  /// The exit codes with which a shell reports that it cannot run a program.
  private static let notRunnable: ClosedRange<Int32> = 126...127

  package init(_ command: String, readsOutput: Bool, keepsUnread: Bool = false) {
    (self.command, self.readsOutput, self.keepsUnread) = (command, readsOutput, keepsUnread)
  }

  /// How a program has ended.
  package struct Ending: Sendable {
    /// The end in words, such as `exit code 1`.
    package let text: String
    /// Whether there is no such program.
    package let isMissing: Bool
    /// Whether the program ended with exit code 0.
    package let isGood: Bool
    /// The nanoseconds until it can be started again.
    package let wait: Int64
    /// The number of bytes that it has not read, if the program keeps them.
    package let unreadCount: Int
  }

  /// The number of times in a row that the program has ended without progress.
  package var failureCount: Int { backoff.failureCount }

  /// Notes that the program has done some of its work.
  package func noteProgress() { backoff.noteProgress() }

  /// Nanoseconds until the program can be started.
  package func untilStart(_ now: Int64) -> Int64 { max(0, nextStart - now) }

  /// Starts the program if it does not run and its time has come. Returns how a start has failed.
  package func start(_ now: Int64) -> Ending? {
    guard process == nil, nextStart <= now else { return nil }
    started = now
    do throws(SystemError) {
      process = try PipedProcess("/bin/sh", ["-c", command], readsOutput: readsOutput, keepsUnread: keepsUnread)
      return nil
    } catch {
      return ending("the shell cannot be started: \(error.explanation)", nil, unreadCount: 0, now)
    }
  }

  /// Returns how the program has ended; nil while it runs or has not been started. The caller has read its output before.
  package func takeEnding(_ now: Int64) -> Ending? {
    guard let process else { return nil }
    if process.hasClosedOutput, !process.hasEnded() {
      // A program that can no longer answer is of no use.
      process.kill()
    }
    guard process.hasEnded(), process.output == nil || process.hasClosedOutput, let end = process.end else {
      return nil
    }
    return finish(process, end, now)
  }

  /// Ends the program at once. Returns how it has ended; nil if it does not run.
  package func kill(_ now: Int64) -> Ending? {
    guard let process else { return nil }
    PipedProcess.stop([process], within: 0)
    return process.end.flatMap { finish(process, $0, now) }
  }

  private func finish(_ process: PipedProcess, _ end: ChildProcess.End, _ now: Int64) -> Ending {
    self.process = nil
    let unreadCount = process.takeUnread()
    if keepsUnread, process.writtenCount > unreadCount { noteProgress() }
    return ending(end.text, end, unreadCount: unreadCount, now)
  }

  private func ending(_ text: String, _ end: ChildProcess.End?, unreadCount: Int, _ now: Int64) -> Ending {
    let wait = backoff.wait(afterRunOf: now - started)
    nextStart = now + wait
    let code: Int32? = if case .exit(let code)? = end { code } else { nil }
    return Ending(
      text: text, isMissing: code.map(Self.notRunnable.contains) ?? false, isGood: code == 0, wait: wait,
      unreadCount: unreadCount)
  }
}
