/// What an app tells streams as it happens: taps, measurements, messages. Who joins later has missed it.
///
/// ```swift
/// let taps = PassthroughInput<Int>()
/// let stream = model.publisher(inputs: ["taps": taps])
/// taps.send(1)
/// ```
/// A value that a stream has not asked for is dropped, or waits, as the input's `buffer` in the file says.
///
/// - SeeAlso: `StreamInput`, which keeps its newest value.
public final class PassthroughInput<Content: Encodable & Sendable>: InputFeed<Content>, @unchecked Sendable {
  public init() { super.init(current: nil) }
}
