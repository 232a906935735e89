/// Why a JSON text could not be read, and where.
public struct JSONError: Error, Hashable, Sendable {
  public var code: DiagnosticCode
  /// What was found and what was expected, in one sentence without a full stop.
  public var message: String
  /// The offending bytes, from the beginning of the text; empty at its end.
  public var bytes: Range<Int>
  /// The member that was being read.
  public var pointer: JSONPointer
  /// Which part of that member is meant.
  public var part: Diagnostic.Part
  public var notes: [String]
  public var help: String?

  public init(
    _ code: DiagnosticCode, _ message: String, bytes: Range<Int>, at pointer: JSONPointer = JSONPointer(),
    part: Diagnostic.Part = .value, notes: [String] = [], help: String? = nil
  ) {
    self.code = code
    self.message = message
    self.bytes = bytes
    self.pointer = pointer
    self.part = part
    self.notes = notes
    self.help = help
  }

  /// Where the offending bytes begin.
  public var offset: Int { bytes.lowerBound }

  /// The same as a diagnostic without a location.
  public var diagnostic: Diagnostic {
    Diagnostic(code, message, at: pointer, part: part, notes: notes, help: help)
  }

  /// The same as a diagnostic that knows its place in `source`.
  public func diagnostic(in source: SourceText) -> Diagnostic {
    var result = diagnostic
    result.location = source.location(of: bytes)
    return result
  }
}
