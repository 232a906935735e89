import Foundation
import StreamCombine
import StreamKit

/// A countdown that survives the app: it is saved in the background and continues at the next start.
public final class Countdown {
  public private(set) var text = ""
  private let stream: LiveStream
  private var subscription: AnyCancellable?

  private static let model = StreamModel(
    source: .timer(.init(every: 1, startingAfter: 0)),
    operators: [
      .scan(181, "acc - 1"), .prefixWhile("value > 0"),
      .map("'%d:%s'.format([value / 60, (value % 60 < 10 ? '0' : '') + string(value % 60)])"),
      .append(with: [.model(StreamModel(stream: ["done"]))]),
    ])

  /// - Parameter stored: The result of `save()`. The state of another version of the countdown is refused.
  public init(scheduler: some Scheduler, stored: Data? = nil) throws {
    var stream = try LiveStream(Self.model)
    stream.state =
      try stored.map { StreamState(restoring: try JSONDecoder().decode(Snapshot.self, from: $0)) }
      ?? StreamState()
    self.stream = stream
    subscription = stream.publisher(of: String.self, scheduler: scheduler)
      .assign(to: \.text, onWeak: self)
  }

  public func save() async throws -> Data { try JSONEncoder().encode(try await stream.state?.save()) }
}
