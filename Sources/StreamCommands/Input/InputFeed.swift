internal import CEL
internal import StreamCore
internal import StreamKit
internal import StreamRuntime

/// A file that feeds an input: one JSON value a line.
final class InputFeed {
  /// The input's number in the pipeline.
  private(set) var number: Int
  private(set) var name: String
  /// The file as diagnostics call it.
  let file: String
  let descriptor: FileDescriptor
  private let lines: LineReader
  private var reader = JSONReader()
  /// What makes values of the declared type; nil where anything will do.
  private var conversion: InputConversion?
  private let report: SkipReport
  /// Whether the file has come to its end.
  private(set) var isDone = false
  /// Whether it feeds no input any more, since the stream that runs now has none for it.
  private(set) var isRetired = false
  /// How many values have been read.
  private(set) var count = 0
  /// The bytes of the line that was read last. They stay until more is read.
  private var line = UnsafeRawBufferPointer(start: nil, count: 0)

  /// What comes next.
  enum Step {
    case value(Value)
    /// More must be read first.
    case incomplete
    case end
  }

  init(_ number: Int, name: String, file: String, descriptor: FileDescriptor, type: CELType, report: SkipReport) {
    self.number = number
    self.name = name
    self.file = file
    self.descriptor = descriptor
    self.report = report
    conversion = type == .dyn ? nil : InputConversion(type)
    lines = LineReader(descriptor, limit: JSONLimits().bytes)
  }

  /// Feeds another input from now on, as when the stream has become another one.
  func assign(to number: Int, name: String, type: CELType) {
    self.number = number
    self.name = name
    conversion = type == .dyn ? nil : InputConversion(type)
  }

  /// Feeds nothing any more.
  func retire() {
    isRetired = true
    isDone = true
    if descriptor != .standardInput { descriptor.close() }
  }

  /// The next value that is as it should be; what is not is skipped where that is wished for.
  func next() throws(RunStop) -> Step {
    while true {
      switch lines.next() {
      case .incomplete: return .incomplete
      case .end:
        isDone = true
        return .end
      case .tooLong:
        try report.skipLine(tooLong(), SourceText(file: file, bytes: [], firstLine: lines.number))
      case .text(let bytes):
        if Self.isBlank(bytes) { continue }
        line = bytes
        if let value = try value(of: bytes) {
          count += 1
          return .value(value)
        }
      }
    }
  }

  /// Reads more of the file. May block.
  func fill() throws(RunStop) {
    do throws(SystemError) {
      try lines.fill()
    } catch {
      throw .refused(error.diagnostic(reading: file), nil)
    }
  }

  /// Waits until there is more, and reads it; what has been written so far is to be flushed before.
  func waitAndFill(_ beforeBlocking: () throws(RunStop) -> Void) throws(RunStop) {
    if !Waiting.readable([descriptor], nanoseconds: 0)[0] {
      try beforeBlocking()
      _ = Waiting.readable([descriptor], nanoseconds: nil)
    }
    if Interruption.hasHappened { throw .interrupted }
    try fill()
  }

  /// Skips the value that was given last, or ends the run; the diagnostic points at its line.
  func refuseLatest(_ diagnostic: Diagnostic) throws(RunStop) {
    let source = sourceOfLine
    var located = diagnostic
    located.location = source.location(of: 0..<source.bytes.count)
    try report.skipValue(located, source)
  }

  private var sourceOfLine: SourceText { SourceText(file: file, bytes: Array(line), firstLine: lines.number) }

  private func value(of bytes: UnsafeRawBufferPointer) throws(RunStop) -> Value? {
    let value: Value
    do throws(JSONError) {
      value = try reader.read(bytes)
    } catch {
      let source = sourceOfLine
      try report.skipLine(error.diagnostic(in: source), source)
      return nil
    }
    guard let conversion else { return value }
    do throws(InputConversion.Problem) {
      return try conversion.convert(value)
    } catch {
      let source = sourceOfLine
      try report.skipValue(mismatch(error, source), source)
      return nil
    }
  }

  private func mismatch(_ problem: InputConversion.Problem, _ source: SourceText) -> Diagnostic {
    let pointer = JSONPointer(problem.tokens)
    let document = try? JSONDocument(reading: source.bytes, file: file)
    return Diagnostic(
      .inputTypeMismatch, "\(problem.message), in the input '\(name)'", at: pointer,
      help: "change the input's 'type' in the stream file, or leave such values out with --skip-errors",
      location: source.location(of: document?.range(of: pointer) ?? 0..<source.bytes.count))
  }

  private func tooLong() -> Diagnostic {
    Diagnostic(
      .tooLarge, "the line is longer than \(JSONLimits().bytes / 1_048_576) MiB, the most that is read",
      location: SourceLocation(file: file, bytes: 0..<0, line: lines.number, column: 1))
  }

  private static func isBlank(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }
}
