import StreamKit

/// Reports when a room has been too warm for five seconds, and when it is cool again.
public struct Alarm: Sendable {
  public let celsius = PassthroughInput<Double>()
  private let stream: LiveStream

  /// - Parameter rules: The text of a stream file, from the app's bundle or a server.
  public init(rules: String) throws {
    let model = try StreamModel(checking: rules, file: "alarm.json")
    stream = try LiveStream(model, inputs: ["celsius": celsius])
  }

  /// Whether the room is too warm, at each change.
  public func changes<C: Clock>(clock: C = ContinuousClock()) -> StreamValues<Bool> where C.Duration == Duration {
    stream.values(of: Bool.self, clock: clock)
  }
}
