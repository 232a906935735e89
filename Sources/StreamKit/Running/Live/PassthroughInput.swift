public import StreamCore

/// An input for events without a current value: taps, measurements, messages. A later subscriber misses earlier events.
///
/// ```swift
/// let taps = PassthroughInput<Int>()
/// var values = model.values(of: Int.self, inputs: ["taps": taps]).makeAsyncIterator()
/// taps.send(1)
/// ```
/// A value for which a stream has no demand waits in the input's `buffer`: 1,024 values, unless the file says otherwise.
///
/// - SeeAlso: `StreamInput`, which keeps its current value.
public final class PassthroughInput<Content: Encodable & Sendable>: InputFeed<Content>, @unchecked Sendable {
  /// - Parameter coding: The coding of the content. Default `standard`.
  public init(coding: ValueCoding = .standard) { super.init(coding) }
}
