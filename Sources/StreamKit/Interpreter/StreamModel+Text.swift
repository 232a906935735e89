public import StreamCore

extension StreamModel {
  /// Parses the text of a stream file.
  ///
  /// - Parameters:
  ///   - text: The JSON text.
  ///   - file: The name of the text in diagnostics.
  /// - Throws: All errors in the text, its members and its expressions, with line and column.
  public init(parsing text: String, file: String = "stream.json") throws(Diagnostics) {
    try self.init(parsing: Array(text.utf8), file: file)
  }

  /// Parses the UTF-8 bytes of a stream file.
  public init(parsing bytes: [UInt8], file: String = "stream.json") throws(Diagnostics) {
    let document = try JSONDocument(reading: bytes, file: file)
    self = try StreamFile(document, identity: file).model
    check.document = document
  }
}
