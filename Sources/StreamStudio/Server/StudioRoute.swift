internal import StreamCore

/// A request that the server answers with JSON.
struct StudioRoute: Sendable {
  enum Method: String {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  let method: Method
  /// The path after `/api`.
  let path: String
  let summary: String
  let answer: @Sendable (Studio, StudioRequest) async throws -> Value

  init(
    _ method: Method, _ path: String, _ summary: String,
    _ answer: @escaping @Sendable (Studio, StudioRequest) async throws -> Value
  ) {
    (self.method, self.path, self.summary, self.answer) = (method, path, summary, answer)
  }

  /// Every request, except those that are answered with events.
  static let all: [StudioRoute] = files + texts + runs + tests + comparisons + steps + lives
}
