/// The reason why a JSON text cannot be parsed, and its location.
@_spi(Engine) public struct JSONError: Error, Hashable, Sendable {
  public var code: DiagnosticCode
  /// The finding and the expectation, in one sentence without a period.
  public var message: String
  /// Byte range of the error in the text; empty at the end of the text.
  public var bytes: Range<Int>
  /// The member being read when the error was found.
  public var pointer: JSONPointer
  /// The part of that member the error refers to.
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

  /// Byte offset at which the error begins.
  public var offset: Int { bytes.lowerBound }

  /// The error as a diagnostic without a location.
  public var diagnostic: Diagnostic {
    Diagnostic(code, message, at: pointer, part: part, notes: notes, help: help)
  }

  /// Returns the error as a diagnostic with its location in `source`.
  public func diagnostic(in source: SourceText) -> Diagnostic {
    var result = diagnostic
    result.location = source.location(of: bytes)
    return result
  }
}
