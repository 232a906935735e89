#if Sharing
public import StreamCore
public import StreamEngine
public import StreamKit
public import StreamSharing

extension SharedStream {
  /// Returns a publisher of the stream's values.
  ///
  /// Every subscriber has a subscription of its own, as every iterator of `values(of:output:inputs:bufferingPolicy:)` has. Values are
  /// delivered one at a time, in a task; use `receive(on:)` for another context.
  ///
  /// - Parameters:
  ///   - type: The type of the values. A value that does not fit is a failure of the version (`S414`).
  ///   - output: The name of one of the outputs: see `values(of:output:inputs:bufferingPolicy:)`. Default nil: all values.
  ///   - inputs: The feeds of inputs, by name. Names that the present version lacks may exist in a later one.
  ///   - bufferingPolicy: The values kept for a subscriber without demand. Default 1,024 values; one more is a failure.
  public func publisher<Output: Decodable & Sendable>(
    of type: Output.Type = Value.self, output: String? = nil, inputs: [String: any StreamFeed] = [:],
    bufferingPolicy: BufferingPolicy = .standard
  ) -> AnyPublisher<Output, StreamFailure> {
    ValuesPublisher(values: values(of: type, output: output, inputs: inputs, bufferingPolicy: bufferingPolicy))
      .eraseToAnyPublisher()
  }
}
#endif
