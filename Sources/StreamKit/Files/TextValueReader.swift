internal import CEL
@_spi(Engine) internal import StreamCore

extension FileFormat {
  /// Lines of text: each is a string, without its line break.
  public static let text = FileFormat(
    "text", extensions: ["txt", "log", "text"], "lines of text, each a string", valueType: .string
  ) { cursor, _ in
    TextValueReader(cursor)
  }
}

/// Reads lines of text, which end with LF or CR LF, as strings, or as values of a declared type.
final class TextValueReader: FormatReader, @unchecked Sendable {  // used from one place at a time, as the protocol says
  @exclusivity(unchecked) private var cursor: FileCursor
  private var type = FieldConversion.Kind.text

  /// Start of the latest line.
  @exclusivity(unchecked) private var start: FilePlace
  @exclusivity(unchecked) private(set) var isPastProblem = false
  @exclusivity(unchecked) private(set) var latestLine: PaddedBytes?

  var place: FilePlace { cursor.place }
  var location: Diagnostic.Location { cursor.location(of: start) }
  var isStarved: Bool { cursor.isStarved }

  init(_ cursor: FileCursor) {
    self.cursor = cursor
    start = cursor.place
  }

  func rewind() { cursor.rewind() }

  func declare(_ type: CELType) { self.type = FieldConversion.Kind(type) }

  func next() throws(Diagnostic) -> Value? {
    isPastProblem = false
    try cursor.requireText()
    guard let line = try cursor.nextLine(&start) else {
      guard try cursor.skipLongLine(&start) else { return nil }
      isPastProblem = true
      throw cursor.tooLarge(at: start)
    }
    latestLine = line
    guard let text = String(validating: line.withoutCarriageReturn.bytes, as: UTF8.self) else {
      isPastProblem = true
      throw cursor.problem(.invalidUTF8, "the line is not valid UTF-8", help: "save the file as UTF-8", at: start)
    }
    return FieldConversion.value(of: text, as: type)
  }
}
