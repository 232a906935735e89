public import StreamCore

/// A running execution, saved between two events: what it takes to continue elsewhere with the same outputs.
///
/// It is kept and sent as `text`; through a coder it is one string, so that no coder changes a number in it.
public struct Snapshot: Sendable {
  let saved: SavedExecution

  /// Whether nothing is half done.
  package var isAtRest: Bool { saved.isAtRest }

  init(saved: SavedExecution) { self.saved = saved }

  /// The snapshot as JSON text, with which it can be kept or sent.
  public func text() throws -> String {
    JSONWriter.compact(try ValueEncoder().encode(saved).taggedForJSON)
  }

  /// The snapshot that a JSON text holds.
  ///
  /// - Throws: what is wrong with the text.
  public init(text: String) throws(Diagnostics) {
    let document = try JSONDocument(
      reading: Array(text.utf8), file: "snapshot", limits: JSONLimits(depth: JSONLimits().depth, values: .max))
    do throws(Diagnostic) {
      saved = try ValueDecoder().decode(SavedExecution.self, from: try Value(taggedForJSON: document.value))
    } catch {
      throw Diagnostics([document.locate(error)])
    }
  }
}

extension Snapshot: Codable {
  public init(from decoder: any Decoder) throws { try self.init(text: String(from: decoder)) }

  public func encode(to encoder: any Encoder) throws { try text().encode(to: encoder) }
}
