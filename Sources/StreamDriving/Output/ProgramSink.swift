internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// A program as the destination of an output: it reads the values from its standard input.
///
/// The program is started again when it ends before its input does. It then reads on at the first line that the program
/// before it had not read, or had read in part. A line that it had read and not processed is lost.
///
/// The stream pauses while the program is 1 MiB behind.
final class ProgramSink: OutputSink, RunService {
  let name: String
  private let program: ShellProgram
  private let console: Console
  private let clock = LiveClock()
  /// Bytes that the program has not got, after some that it has: they are needed when it has not read them.
  private var content: [UInt8] = []
  /// Number of bytes of `content` that its input has taken.
  private var sentCount = 0
  private(set) var bytes = 0
  private var messageCount = 0
  /// Whether a program has read a part of the output.
  private var hasRead = false
  /// The place in `content` from which the present program reads.
  private var start = 0
  /// The number of programs in a row that have ended without reading a line although one was waiting.
  private var idleEndCount = 0

  /// The number of bytes for which the stream does not wait.
  private static let limit = 1024 * 1024
  /// The most bytes that a pipe holds.
  private static let pipeSize = 1024 * 1024
  /// The number of times in a row that the program may end without reading a line.
  private static let longestSeries = 5
  private static let messageLimit = 20

  init(_ command: String, _ console: Console) throws(Diagnostic) {
    guard command.utf8.contains(where: { $0 > 0x20 }), !command.utf8.contains(0) else {
      throw Diagnostic(.invalidArgument, "--output '|\(command)' has no command", help: "write --output '|COMMAND'")
    }
    (name, self.console) = ("|\(command)", console)
    program = ShellProgram(command, readsOutput: false, keepsUnread: true)
    // A program that reads nothing may have work at its end.
    _ = program.start(clock.now.nanoseconds)
  }

  /// Number of bytes that the program's input has not taken.
  private var pendingCount: Int { content.count - sentCount }

  // MARK: Writing

  func write(_ bytes: UnsafeRawBufferPointer) throws(RunStop) {
    content.append(contentsOf: bytes)
    self.bytes += bytes.count
    try pump()
    try wait { pendingCount <= Self.limit }
  }

  func settle() throws(RunStop) { try wait { pendingCount == 0 } }

  /// Waits for the program, unless this process is asked to stop.
  private func wait(until isEnough: () -> Bool) throws(RunStop) {
    while !isEnough(), !Interruption.hasHappened {
      pause(nanoseconds: 100_000_000)
      try pump()
    }
  }

  private func pause(nanoseconds longest: Int64) {
    let rest = program.process == nil ? min(longest, program.untilStart(clock.now.nanoseconds) + 1) : longest
    _ = Waiting.readable([], writable: writeSignals, nanoseconds: rest)
  }

  /// Starts the program if that is due, and writes what it takes now.
  private func pump() throws(RunStop) {
    let now = clock.now.nanoseconds
    if let ending = program.takeEnding(now) { try restart(after: ending) }
    if pendingCount > 0, let ending = program.start(now) { try restart(after: ending) }
    guard pendingCount > 0, let process = program.process else { return }
    sentCount += process.write(content[sentCount...])
    if sentCount > Self.pipeSize + Self.limit { forget() }
  }

  /// Removes lines that the program has read.
  private func forget() {
    guard let end = content[..<(sentCount - Self.pipeSize)].lastIndex(of: UInt8(ascii: "\n")) else { return }
    content.removeSubrange(...end)
    sentCount -= end + 1
    // The present program has read these lines.
    (start, idleEndCount) = (max(0, start - end - 1), 0)
  }

  /// Returns to the first line that the program has not read to its end.
  private func restart(after ending: ShellProgram.Ending) throws(RunStop) {
    let readCount = max(0, sentCount - ending.unreadCount)
    let next = content[..<readCount].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    if next > start { idleEndCount = 0 } else if content.count > start { idleEndCount += 1 }
    (start, sentCount) = (next, next)
    if readCount > 0 { hasRead = true }
    if ending.isMissing, !hasRead {
      throw .refused(
        Diagnostic(
          .cannotWrite, "the program of --output '\(name)' cannot be started (\(ending.text))",
          help: "try the command in a shell"), nil)
    }
    if idleEndCount >= Self.longestSeries {
      let count = "\(Self.longestSeries) times in a row without reading a line"
      throw lost(": it has ended \(count) (\(ending.text)); \(ByteCount(content.count - start)) of the output are lost")
    }
    let seconds = Interval(nanoseconds: ending.wait).seconds.shortText
    tell("has ended (\(ending.text)); it is started again in \(seconds) seconds")
  }

  private func tell(_ text: String) {
    messageCount += 1
    guard messageCount <= Self.messageLimit else { return }
    console.report(Diagnostic(.cannotWrite, "the program of --output '\(name)' \(text)", severity: .warning))
    if messageCount == Self.messageLimit {
      console.say("note: further messages about the program of --output '\(name)' are not printed")
    }
  }

  // MARK: Service

  var writeSignals: [FileDescriptor] { pendingCount > 0 ? program.process?.input.map { [$0] } ?? [] : [] }

  /// NB: The end of the program makes no file readable, so the program is checked every second.
  var untilDue: Int64? {
    guard program.process != nil else { return pendingCount > 0 ? program.untilStart(clock.now.nanoseconds) : nil }
    return pendingCount > 0 ? 100_000_000 : 1_000_000_000
  }

  func serve(_ run: RunSession) throws(RunStop) { try pump() }

  // MARK: The end

  /// Waits until the program has read everything and has ended.
  func close() throws(RunStop) {
    if program.process == nil, pendingCount == 0 { return }
    while !Interruption.hasHappened {
      try wait { pendingCount == 0 }
      guard pendingCount == 0 else { break }
      guard let process = program.process else { return }
      process.closeInput()
      PipedProcess.wait(for: [process], nil)
      guard let ending = program.takeEnding(clock.now.nanoseconds) else { break }
      // A program that ends well has read what it wants.
      if ending.isGood { return }
      if ending.unreadCount == 0, hasRead || process.writtenCount > 0 { throw lost(" (\(ending.text))") }
      try restart(after: ending)
    }
    if let process = program.process { PipedProcess.stop([process], within: 700) }
    let unread = program.takeEnding(clock.now.nanoseconds)?.unreadCount ?? 0
    let count = pendingCount + unread
    if count > 0 { throw lost("; \(ByteCount(count)) of the output are lost") }
  }

  private func lost(_ reason: String) -> RunStop {
    .refused(Diagnostic(.cannotWrite, "the program of --output '\(name)' has failed\(reason)"), nil)
  }
}
