public import StreamCore
public import StreamEngine
public import StreamKit

extension ChangingStream {
  /// Returns a publisher of the stream's values, from each subscription on. The first subscription starts the stream.
  ///
  /// Values are delivered one at a time, in a task; use `receive(on:)` for another context.
  ///
  /// - Parameters:
  ///   - type: The type of the values. A value that does not fit fails the subscriber (`S414`), not the stream.
  ///   - output: The name of one of the stream's outputs: see `values(of:output:bufferingPolicy:)`. Default nil: all values.
  ///   - bufferingPolicy: The values kept for a subscriber without demand. Default 1,024 values; one more is a failure.
  public func publisher<Output: Decodable & Sendable>(
    of type: Output.Type = Value.self, output: String? = nil, bufferingPolicy: BufferingPolicy = .standard
  ) -> AnyPublisher<Output, StreamFailure> {
    ValuesPublisher(values: values(of: type, output: output, bufferingPolicy: bufferingPolicy)).eraseToAnyPublisher()
  }
}
