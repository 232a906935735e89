import StreamKit

/// Answers a request with the values of a stream, no faster than the client takes them.
public struct RequestHandler: Sendable {
  private let stream: LiveStream

  public init(_ model: StreamModel, services: HostServices = HostServices()) throws {
    stream = try LiveStream(model, services: services)
  }

  /// Writes a line for each value. If the client goes, `write` throws or the task is canceled, and the stream ends.
  public func respond(write: (String) async throws -> Void) async throws {
    for try await number in stream.values(of: Int.self, bufferingPolicy: .demand) {
      try await write("\(number)\n")
    }
  }
}
