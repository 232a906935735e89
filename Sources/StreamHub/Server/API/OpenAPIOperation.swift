internal import StreamCore

/// The description of a method of a resource.
struct OpenAPIOperation {
  private let route: Route
  private let method: String

  init(_ route: Route, _ method: String) {
    self.route = route
    self.method = method
  }

  var json: Value {
    var map = ValueMap([
      ("operationId", .string("\(method.lowercased())-\(route)")), ("summary", .string(summary)),
      ("security", .list(security)),
    ])
    if !parameters.isEmpty { map = map.setting("parameters", .list(parameters)) }
    if let body { map = map.setting("requestBody", body) }
    var responses = ValueMap()
    for (status, response) in successes { responses = responses.setting(status, response) }
    for (status, kinds) in problems.sorted(by: { $0.key < $1.key })
    where responses[.string(String(status))] == nil {
      responses = responses.setting(String(status), Self.response(kinds))
    }
    return .map(map.setting("responses", .map(responses)))
  }

  private var summary: String {
    switch route {
    case .file: "Reads a file of the signed repository."
    case .streams: "Lists the streams."
    case .stream where method == "PUT": "Publishes a version of a stream, or creates the stream."
    case .stream: "Reads the state of a stream."
    case .versions: "Lists the versions of a stream, the newest first."
    case .version: "Reads the file of a version."
    case .difference: "Compares two versions by meaning."
    case .promote: "Makes a candidate stable, or changes the percentage of its clients."
    case .halt: "Ends the rollout of a candidate."
    case .rollback: "Publishes the content of an earlier version as a new one."
    case .metadata:
      "Takes a change of a stream that its publisher has signed, and signs the snapshot and the timestamp."
    case .events:
      "Sends events as they happen (Server-Sent Events): published, promoted, halted, rolledback; reset if the last "
        + "event of the reader is too old."
    case .reports: "Reports the state of versions at clients."
    case .rollout: "Reads the reports on the versions of a stream."
    case .description: "Reads this description."
    case .liveness: "Reads whether the hub runs."
    case .health: "Reads the condition of the hub, with warnings, and the expirations of the roles."
    case .readiness: "Reads whether the hub can serve clients and make changes. Warnings do not count."
    case .metrics: "Reads counters in the format of Prometheus."
    }
  }

  private var security: [Value] {
    switch route {
    case .description, .liveness, .health, .readiness: [.object()]
    case .promote, .halt, .rollback, .metadata, .reports: [.object(("token", []))]
    case .stream where method == "PUT": [.object(("token", []))]
    default: [.object(("token", [])), .object()]
    }
  }

  // MARK: Parameters

  static func pathParameters(_ route: Route) -> [Value] {
    var parameters: [Value] = []
    if route.rawValue.contains("{name}") {
      parameters.append(parameter("name", in: "path", true, OpenAPI.schema("Name"), "The name; slashes are %2F."))
    }
    if route.rawValue.contains("{path}") {
      parameters.append(
        parameter("path", in: "path", true, string, "The path of the file: metadata/… or targets/…, with slashes."))
    }
    if route == .version { parameters.append(parameter("version", in: "path", true, integer, "The version.")) }
    return parameters
  }

  private var parameters: [Value] {
    let condition = Self.parameter("If-Match", in: "header", false, Self.string, "The entity tag that was read.")
    let known = Self.parameter("If-None-Match", in: "header", false, Self.string, "Entity tags that the client has.")
    switch route {
    case .difference:
      return [
        Self.parameter("from", in: "query", true, Self.integer, "The earlier version."),
        Self.parameter("to", in: "query", true, Self.integer, "The later version."), known,
      ]
    case .stream where method == "PUT":
      return [
        condition, Self.parameter("If-None-Match", in: "header", false, Self.string, "* for a new stream."),
        Self.parameter(
          "percent", in: "query", false,
          .object(("type", "integer"), ("minimum", 0), ("maximum", 100)),
          "Percentage of the clients. Without it and 'where', all clients take the version."),
        Self.parameter("where", in: "query", false, Self.string, "A condition over 'client' in CEL."),
        Self.parameter("salt", in: "query", false, Self.string, "Rollouts with the same salt select the same clients."),
        Self.parameter("notes", in: "query", false, Self.string, "A remark for other publishers."),
        Self.parameter(
          "parameters", in: "query", false, Self.string,
          "The values of the file's parameters: the text of a JSON object. Clients compile the version with them."),
      ]
    case .promote, .halt, .rollback: return [condition]
    case .metadata:
      return [condition, Self.parameter("If-None-Match", in: "header", false, Self.string, "* for a new stream.")]
    case .events:
      return [Self.parameter("Last-Event-ID", in: "header", false, Self.string, "The last event that the reader has.")]
    case .reports, .liveness, .metrics: return []
    default: return [known]
    }
  }

  private static var string: Value { .object(("type", "string")) }
  private static var integer: Value {
    .object(("type", "integer"), ("minimum", 1), ("maximum", .int(Int64(Int32.max))))
  }

  private static func parameter(
    _ name: String, in place: String, _ isRequired: Bool, _ schema: Value, _ description: String
  ) -> Value {
    .object(
      ("name", .string(name)), ("in", .string(place)), ("required", .bool(isRequired)), ("schema", schema),
      ("description", .string(description)))
  }

  // MARK: Bodies

  private var body: Value? {
    switch route {
    case .stream where method == "PUT":
      Self.body(.object(("type", "object"), ("description", "A stream file of at most 1 MiB.")), true)
    case .promote: Self.body(OpenAPI.schema("Promotion"), false)
    case .halt: Self.body(OpenAPI.schema("Halt"), false)
    case .rollback: Self.body(OpenAPI.schema("Rollback"), true)
    case .metadata: Self.body(OpenAPI.schema("SignedChange"), true)
    case .reports: Self.body(OpenAPI.schema("Reports"), true)
    default: nil
    }
  }

  private static func body(_ schema: Value, _ isRequired: Bool) -> Value {
    .object(
      ("required", .bool(isRequired)),
      ("content", .object(("application/json", .object(("schema", schema))))))
  }

  // MARK: Responses

  private var successes: [(String, Value)] {
    switch route {
    case .file: [("200", Self.success("The file.", "*/*", Self.string)), Self.notModified]
    case .streams: [("200", Self.success("The streams.", OpenAPI.schema("Streams"))), Self.notModified]
    case .stream where method == "PUT":
      [
        ("200", Self.success("A version was published, or the content is not new.", OpenAPI.schema("Outcome"))),
        ("201", Self.success("The stream was created.", OpenAPI.schema("Outcome"))),
      ]
    case .stream: [("200", Self.success("The stream.", OpenAPI.schema("Stream"))), Self.notModified]
    case .versions: [("200", Self.success("The versions.", OpenAPI.schema("Versions"))), Self.notModified]
    case .version:
      [("200", Self.success("The file.", .object(("type", "object")))), Self.notModified]
    case .difference:
      [("200", Self.success("The changes.", .object(("type", "object")))), Self.notModified]
    case .promote, .halt, .rollback: [("200", Self.success("The change.", OpenAPI.schema("Outcome")))]
    case .metadata:
      [
        ("200", Self.success("The change.", OpenAPI.schema("Outcome"))),
        ("201", Self.success("The stream was created.", OpenAPI.schema("Outcome"))),
      ]
    case .events: [("200", Self.success("Events, until the connection ends.", "text/event-stream", Self.string))]
    case .reports: [("202", Self.success("The number of reports that count.", OpenAPI.schema("Counted")))]
    case .rollout: [("200", Self.success("The reports.", OpenAPI.schema("Rollout"))), Self.notModified]
    case .description:
      [("200", Self.success("The description.", .object(("type", "object")))), Self.notModified]
    case .liveness, .metrics: [("200", Self.success("The text.", "text/plain", Self.string))]
    case .health:
      [
        ("200", Self.success("The hub is ready.", OpenAPI.schema("Health"))), Self.notModified,
        ("503", Self.success("The hub is not ready, or too busy.", OpenAPI.schema("Health"))),
      ]
    case .readiness:
      [("200", Self.success("The hub is ready.", OpenAPI.schema("Readiness"))), Self.notModified]
    }
  }

  private static var notModified: (String, Value) {
    ("304", .object(("description", "The client has this representation.")))
  }

  private static func success(_ description: String, _ schema: Value) -> Value {
    success(description, "application/json", schema)
  }

  private static func success(_ description: String, _ type: String, _ schema: Value) -> Value {
    .object(
      ("description", .string(description)), ("headers", .object(("etag", OpenAPI.text("The entity tag.")))),
      ("content", .object((type, .object(("schema", schema))))))
  }

  /// The kinds of problems by their statuses.
  private var problems: [Int: [Problem.Kind]] {
    var kinds: [Problem.Kind] = [
      .badRequest, .requestTimeout, .targetTooLong, .expectationFailed, .headerTooLarge, .notImplemented, .unavailable,
      .versionNotSupported, .methodNotAllowed, .tooManyRequests, .internalError,
    ]
    if ![.description, .liveness, .health, .readiness].contains(route) { kinds += [.unauthorized, .forbidden] }
    if route != .file { kinds.append(.notAcceptable) }
    if route.rawValue.contains("{") { kinds.append(.notFound) }
    if route.rawValue.contains("{name}") { kinds.append(.invalidName) }
    if body != nil { kinds += [.unsupportedMediaType] }
    if body != nil || route.bodyLimit == 0 { kinds.append(.tooLarge) }
    if body != nil, route != .reports { kinds += [.preconditionFailed, .noKey, .notReady] }
    if route == .readiness { kinds.append(.notReady) }
    if route == .stream, method == "PUT" { kinds += [.preconditionRequired, .invalidStream] }
    if route == .metadata { kinds += [.invalidStream, .invalidMetadata] }
    return Dictionary(grouping: kinds, by: \.status)
  }

  /// A response of one or several kinds of problems.
  private static func response(_ kinds: [Problem.Kind]) -> Value {
    if kinds.count == 1 { return .object(("$ref", .string("#/components/responses/\(kinds[0].rawValue)"))) }
    return .object(
      ("description", .string(kinds.map(\.title).joined(separator: "; "))),
      (
        "content",
        .object(("application/problem+json", .object(("schema", OpenAPI.schema("Problem")))))
      ))
  }
}
