public import StreamCore

extension StreamModel {
  /// The model that a stream file's text holds.
  ///
  /// - Parameter text: JSON.
  /// - Parameter file: what diagnostics call the text.
  /// - Throws: all that is wrong with the text, its members and its expressions, with line and column.
  public init(parsing text: String, file: String = "stream.json") throws(Diagnostics) {
    try self.init(parsing: Array(text.utf8), file: file)
  }

  /// The model that a stream file's bytes hold, which are UTF-8.
  public init(parsing bytes: [UInt8], file: String = "stream.json") throws(Diagnostics) {
    self = try StreamFile(JSONDocument(reading: bytes, file: file), identity: file).model
  }
}
