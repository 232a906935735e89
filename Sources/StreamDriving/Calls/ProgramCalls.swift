@_spi(Engine) internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// Answers the calls of a function by a program, which reads a request per line and prints an answer per line.
///
/// The program may answer in any order. When it ends, it is started again, and the calls that it has not answered are asked
/// again: a call is asked at least once.
final class ProgramCalls: CallAnswerer {
  private let name: String
  private let limit: Int
  /// Nanoseconds; nil for no limit.
  private let timeout: Int64?
  private let console: Console
  private let program: ShellProgram
  var pending = PendingCalls()
  /// Requests that the program's input has not taken yet.
  private var requests: [UInt8] = []
  private var splitter = LineSplitter()
  private var reader = JSONReader()
  /// Whether a program of this command has answered a call.
  private var hasAnswered = false
  private var hasHinted = false
  /// When an answer came last, in nanoseconds.
  private var latestAnswer: Int64 = 0
  private var problemCount = 0

  /// The number of times in a row that a program may end without an answer.
  private static let longestSeries = 5
  /// The number of ends without an answer after which calls are asked one by one, so that only the one at fault fails.
  private static let suspiciousSeries = 2
  /// Nanoseconds without an answer after which a note about buffers is printed.
  private static let hintDelay: Int64 = 5_000_000_000
  /// The most bad lines that are reported.
  private static let problemLimit = 20
  /// The longest line, in bytes.
  private static let longestLine = 64 * 1024 * 1024

  init(_ name: String, _ command: String, limit: Int, timeout: Double?, _ console: Console) {
    (self.name, self.limit, self.console) = (name, limit, console)
    self.timeout = timeout.map { Interval(seconds: $0).nanoseconds }
    program = ShellProgram(command, readsOutput: true)
  }

  func finish() -> [PipedProcess] { program.process.map { [$0] } ?? [] }

  var signals: [FileDescriptor] { program.process?.output.map { [$0] } ?? [] }

  var writeSignals: [FileDescriptor] { requests.isEmpty ? [] : program.process?.input.map { [$0] } ?? [] }

  /// The most calls that are asked at the same time now.
  private var width: Int { program.failureCount >= Self.suspiciousSeries ? 1 : limit }

  func untilDue(_ now: Int64) -> Int64? {
    guard let process = program.process else { return pending.isOpen ? program.untilStart(now) : nil }
    if pending.hasWaiting, pending.asked.count < width { return 0 }
    // A program whose output is closed is about to end.
    if process.hasClosedOutput { return 1_000_000 }
    guard let first = pending.firstTime else { return nil }
    let hint = hasAnswered || hasHinted ? nil : first + Self.hintDelay
    return [hint, timeout.map { first + $0 }].compactMap(\.self).min().map { max(0, $0 - now) }
  }

  func cancel(_ id: Int64) { pending.cancel(id) }

  func serve(_ now: Int64) -> [CallResult] {
    var results = read()
    if !results.isEmpty { latestAnswer = now }
    if let ending = program.takeEnding(now) { results += end(ending) }
    if pending.isOpen, let ending = program.start(now) { results += end(ending) }
    ask(now)
    results += expired(now)
    return results
  }

  // MARK: Requests

  private func ask(_ now: Int64) {
    guard let process = program.process, !process.hasClosedOutput else { return }
    while pending.asked.count < width, let call = pending.ask(now) { requests += CallLine.request(call) }
    if !requests.isEmpty { requests.removeFirst(process.write(requests[...])) }
  }

  // MARK: Answers

  private func read() -> [CallResult] {
    guard let process = program.process else { return [] }
    var results: [CallResult] = []
    // Other work has its turn in between.
    for _ in 0..<16 {
      guard let bytes = process.read() else { break }
      for line in splitter.lines(adding: bytes) where !line.isEmpty {
        if let result = result(of: line) { results.append(result) }
      }
    }
    if splitter.count > Self.longestLine {
      tell("has printed a line of more than \(Self.longestLine / 1024 / 1024) MiB", help: nil)
      process.kill()
      splitter = LineSplitter()
    }
    return results
  }

  private func result(of line: [UInt8]) -> CallResult? {
    let form = "an answer is one line, {\"id\": 7, \"value\": …} or {\"id\": 7, \"failure\": …}"
    do throws(CallLine.Problem) {
      let (id, answer) = try CallLine.answer(line, &reader)
      guard let asked = pending.finish(id) else {
        throw CallLine.Problem(message: "has the 'id' \(id) of a call that is not open")
      }
      program.noteProgress()
      hasAnswered = true
      if asked.isCanceled { return nil }
      switch answer {
      case .value(let value): return CallResult(id: id, result: .success(value))
      case .failure(let failure):
        return CallResult(id: id, result: .failure(StreamFailure(payload: failure, pointer: asked.call.pointer)))
      case .wrong(let message):
        return failed(asked.call, "its program's answer \(message): \(CallLine.excerpt(line))", help: form)
      }
    } catch {
      tell("has printed a line that \(error.message): \(CallLine.excerpt(line))", help: form)
      return nil
    }
  }

  /// Returns the failures of calls that have waited too long.
  private func expired(_ now: Int64) -> [CallResult] {
    guard let first = pending.firstTime else { return [] }
    if !hasAnswered, !hasHinted, now - first >= Self.hintDelay {
      hasHinted = true
      tell(
        "has not answered for \(Self.hintDelay / 1_000_000_000) seconds",
        help: "a program must flush its output after each answer: jq --unbuffered, python3 -u, sed -u, stdbuf -oL",
        .note)
    }
    guard let timeout, now - first >= timeout else { return [] }
    // A program that answers nothing at all is started again.
    if latestAnswer < first { program.process?.kill() }
    let seconds = Interval(nanoseconds: timeout).seconds
    return pending.awaited.compactMap { call in
      guard let asked = pending.asked[call.id], now - asked.time >= timeout else { return nil }
      // Its answer may still come, and is then ignored.
      pending.cancel(call.id)
      return failed(
        call, "its program has not answered within \(seconds.shortText) seconds", help: "raise --call-timeout")
    }
  }

  // MARK: The end of a program

  private func end(_ ending: ShellProgram.Ending) -> [CallResult] {
    requests = []
    splitter = LineSplitter()
    let count = pending.awaited.count
    var failing: [Call] = []
    if ending.isMissing, !hasAnswered || program.failureCount >= Self.longestSeries {
      failing = pending.takeAll()
    } else if program.failureCount >= Self.longestSeries {
      failing = hasAnswered ? pending.awaited : pending.takeAll()
    }
    for call in failing { _ = pending.finish(call.id) }
    pending.askAgain()
    let series = program.failureCount > 1 ? " \(program.failureCount) times in a row" : ""
    if failing.isEmpty, pending.isOpen || !ending.isGood {
      let restart = Interval(nanoseconds: ending.wait).seconds.shortText
      let calls = count == 0 ? "" : ", and \(count.counted("call")) \(count == 1 ? "is" : "are") asked again"
      let next = pending.isOpen ? "it is started again in \(restart) seconds\(calls)" : "the next call starts it again"
      tell("has ended (\(ending.text)); \(next)", help: nil)
    }
    return failing.map { call in
      failed(
        call, "its program ended\(series) without an answer (\(ending.text))",
        help: ending.isMissing
          ? "the shell cannot run it: \(program.command)" : "try the command in a shell: \(program.command)")
    }
  }

  // MARK: Messages

  private func failed(_ call: Call, _ reason: String, help: String?) -> CallResult {
    let failure = StreamFailure(
      .callFailed, "the function '\(name)' failed: \(reason)", pointer: call.pointer, value: call.argument, help: help)
    return CallResult(id: call.id, result: .failure(failure))
  }

  private func tell(_ text: String, help: String?, _ severity: Diagnostic.Severity = .warning) {
    problemCount += 1
    guard problemCount <= Self.problemLimit else { return }
    console.report(
      Diagnostic(.callFailed, "the program of --call \(name) \(text)", severity: severity, help: help))
    if problemCount == Self.problemLimit {
      console.say("note: further messages about the program of --call \(name) are not printed")
    }
  }
}
