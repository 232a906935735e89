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
  private(set) var saved: SavedExecution

  /// Whether no work is pending.
  package var isAtRest: Bool { saved.isAtRest }

  /// The values that wait for their time before they reach the stream, in the form of the layer that holds them; nil if
  /// there are none.
  package var waiting: Value? {
    get { saved.waiting }
    set { saved.waiting = newValue }
  }

  init(saved: SavedExecution) { self.saved = saved }

  /// Returns the snapshot as JSON text, for storage or transport.
  public func text() throws -> String { JSONWriter.compact(try encoded().taggedForJSON) }

  /// Returns the snapshot as a value; `taggedForJSON` of it is what `text` writes.
  package func encoded() throws -> Value { try ValueEncoder().encode(saved) }

  /// Decodes a value that `encoded` has returned.
  ///
  /// - Throws: A diagnostic, with its place in the value.
  package init(encoded value: Value) throws(Diagnostic) {
    saved = try ValueDecoder().decode(SavedExecution.self, from: value)
  }

  /// Parses the JSON text of a snapshot.
  ///
  /// - Throws: The errors in the text.
  public init(text: String) throws(Diagnostics) {
    let document = try JSONDocument(
      reading: Array(text.utf8), file: "snapshot", limits: .ofSavedStates)
    do throws(Diagnostic) {
      self = try Snapshot(encoded: Value(taggedForJSON: document.value))
    } catch {
      throw Diagnostics([document.locate(error)])
    }
  }
}

extension JSONLimits {
  /// The limits of a saved state, which may hold as much as a running stream.
  package static var ofSavedStates: JSONLimits {
    var limits = JSONLimits()
    (limits.bytes, limits.values) = (.max, .max)
    return limits
  }
}

extension Snapshot: Codable {
  public init(from decoder: any Decoder) throws { try self.init(text: String(from: decoder)) }

  public func encode(to encoder: any Encoder) throws { try text().encode(to: encoder) }
}
