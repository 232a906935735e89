public import StreamCore

/// Reads stream files that other stream files name.
public protocol StreamLoader: Sendable {
  /// The file at `path`, which stands in the file `base` (nil where that has no place of its own).
  ///
  /// - Throws: what is wrong with the file, with locations in it.
  func load(_ path: String, relativeTo base: String?) throws(Diagnostics) -> LoadedStream
}

/// A stream file as read: the model and the text that it came from.
public struct LoadedStream: Sendable {
  /// What tells the file from every other: an absolute path. The base of the paths in it.
  public let identity: String
  public let model: StreamModel
  public let document: JSONDocument

  /// - Throws: what is wrong with the text or the model, with locations.
  public init(_ document: JSONDocument, identity: String) throws(Diagnostics) {
    self.document = document
    self.identity = identity
    do throws(Diagnostics) {
      model = try StreamModel(document.value)
    } catch {
      throw Diagnostics(error.all.map(document.locate))
    }
  }
}
