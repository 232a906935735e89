import Foundation
import StreamCore
import StreamEngine
import StreamKit

/// Counts taps, also over restarts of the app.
public final class TapCounter: Sendable {
  public let taps = PassthroughInput<String>()
  private let stream: LiveStream
  private let state: StreamState

  /// - Parameter stored: The state that the app stored when it went to the background; nil at the first start.
  public init(stored: Data? = nil) throws {
    let model = StreamModel(
      inputs: ["taps": InputDeclaration(type: .string)], source: .input("taps"), operators: [.scan(0, "acc + 1")])
    state =
      if let stored {
        StreamState(restoring: try JSONDecoder().decode(Snapshot.self, from: stored))
      } else {
        StreamState()
      }
    var stream = try LiveStream(model, inputs: ["taps": taps])
    stream.state = state
    self.stream = stream
  }

  public var counts: StreamValues<Int> { stream.values(of: Int.self, bufferingPolicy: .demand) }

  /// Returns the state to store when the app goes to the background.
  public func enterBackground() async throws -> Data { try JSONEncoder().encode(try await state.save()) }
}
