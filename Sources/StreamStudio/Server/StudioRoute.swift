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
  /// The parts of the request.
  let parameters: [Parameter]
  /// Whether the answer is a stream of events.
  var hasEvents = false
  let answer: @Sendable (Studio, StudioRequest) async throws -> Value

  init(
    _ method: Method, _ path: String, _ summary: String, _ parameters: [Parameter] = [],
    _ answer: @escaping @Sendable (Studio, StudioRequest) async throws -> Value
  ) {
    (self.method, self.path, self.summary) = (method, path, summary)
    (self.parameters, self.answer) = (parameters, answer)
  }

  /// Every request, except those that are answered with events.
  static let all: [StudioRoute] = files + texts + runs + tests + comparisons + steps + lives

  /// Requests that are answered with events.
  static let streams: [StudioRoute] = [
    events("/events", "Changes of the folder: hello, file, alive", []),
    events(
      "/live/{id}/events", "Events of a live stream: marble, state, status, skipped, note, end",
      [.path("id")]),
  ]

  private static func events(_ path: String, _ summary: String, _ parameters: [Parameter]) -> StudioRoute {
    var route = StudioRoute(.get, path, summary, parameters) { _, _ in .null }
    route.hasEvents = true
    return route
  }

  /// A part of a request.
  struct Parameter: Sendable {
    enum Place: String {
      case path, query, body
    }

    let name: String
    let place: Place
    /// The type in JSON, or `any`.
    let type: String
    let isRequired: Bool

    static func path(_ name: String) -> Parameter {
      Parameter(name: name, place: .path, type: "string", isRequired: true)
    }
    static func query(_ name: String) -> Parameter {
      Parameter(name: name, place: .query, type: "string", isRequired: true)
    }
    static func body(_ name: String, _ type: String = "string") -> Parameter {
      Parameter(name: name, place: .body, type: type, isRequired: true)
    }
    static func optional(_ name: String, _ type: String = "string") -> Parameter {
      Parameter(name: name, place: .body, type: type, isRequired: false)
    }
  }
}

extension [StudioRoute.Parameter] {
  /// A draft: the path of a file, and the text that an editor holds.
  static let draft: Self = [.body("path"), .body("text")]
  /// A draft, and what its inputs are fed with.
  static let run: Self =
    draft + [
      .optional("inputs", "object"), .optional("test"), .optional("seconds", "number"), .optional("limit", "integer"),
    ]
}
