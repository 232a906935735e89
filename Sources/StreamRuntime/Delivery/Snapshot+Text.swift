public import StreamCore

extension Snapshot {
  /// The snapshot as JSON text, with which it can be kept or sent.
  public func text() throws -> String {
    JSONWriter.compact(try ValueEncoder().encode(self).taggedForJSON)
  }

  /// The snapshot that a JSON text holds.
  ///
  /// - Throws: what is wrong with the text.
  public init(text: String) throws(Diagnostics) {
    let document = try JSONDocument(
      reading: Array(text.utf8), file: "snapshot", limits: JSONLimits(depth: JSONLimits().depth, values: .max))
    do throws(Diagnostic) {
      self = try ValueDecoder().decode(Snapshot.self, from: try Value(taggedForJSON: document.value))
    } catch {
      throw Diagnostics([document.locate(error)])
    }
  }
}
