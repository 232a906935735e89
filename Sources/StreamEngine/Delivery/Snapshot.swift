public import StreamCore

/// The saved state of an execution between two events, from which it can continue elsewhere with the same outputs.
///
/// ```swift
/// let stored = try execution.snapshot().text()
/// let resumed = try Execution(pipeline, restoring: Snapshot(text: stored))
/// ```
///
/// Store and send it as `text`. Through a `Codable` coder it is a single string, so that no coder changes a number in
/// it.
public struct Snapshot: Sendable {
  let saved: SavedExecution

  /// Whether no work is pending.
  package var isAtRest: Bool { saved.isAtRest }

  init(saved: SavedExecution) { self.saved = saved }

  /// Returns the snapshot as JSON text, for storage or transport.
  public func text() throws -> String {
    JSONWriter.compact(try ValueEncoder().encode(saved).taggedForJSON)
  }

  /// Parses the JSON text of a snapshot.
  ///
  /// - Throws: The errors in the text.
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
