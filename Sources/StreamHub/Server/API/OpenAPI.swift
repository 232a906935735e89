internal import StreamCore

/// The description of the hub's interface, in OpenAPI 3.1.
enum OpenAPI {
  static let document: Value = .object(
    ("openapi", "3.1.0"),
    (
      "info",
      .object(
        ("title", "streamhub"), ("version", "1"),
        (
          "description",
          """
          Publishes stream files in a signed repository (The Update Framework 1.0), notifies clients, and counts their \
          reports. The names of streams contain slashes, which are percent-encoded in paths.
          """
        ), ("license", .object(("name", "See the repository of streamrun"), ("identifier", "Apache-2.0")))
      )
    ),
    ("servers", [.object(("url", "/"))]),
    ("security", [.object(("token", [])), .object()]),
    ("paths", paths),
    (
      "components",
      .object(
        (
          "securitySchemes",
          .object(
            (
              "token",
              .object(
                ("type", "http"), ("scheme", "bearer"),
                ("description", "A token of 'streamhub tokens new'. Scopes: read, publish:PREFIX, report, admin."))
            ))
        ), ("schemas", OpenAPISchemas.all), ("responses", problems)
      )
    ))

  /// The document as it is sent.
  static let text = JSONWriter.compact(document)
  static let tag = EntityTag.of(text)

  static func schema(_ name: String) -> Value { .object(("$ref", .string("#/components/schemas/\(name)"))) }

  private static var paths: Value {
    .map(ValueMap(Route.allCases.map { route in (Value.string(route.rawValue), path(of: route)) }))
  }

  /// The operations of a resource, and the parameters in its path.
  private static func path(of route: Route) -> Value {
    var item = ValueMap()
    let parameters = OpenAPIOperation.pathParameters(route)
    if !parameters.isEmpty { item = item.setting("parameters", .list(parameters)) }
    for method in route.methods {
      let operation = OpenAPIOperation(route, method)
      item = item.setting(method.lowercased(), operation.json)
    }
    return .map(item)
  }

  /// The responses of problems, by their kinds.
  private static var problems: Value {
    .map(
      ValueMap(
        Problem.Kind.allCases.map { kind in
          var fields: [(String, Value)] = []
          switch kind {
          case .unauthorized: fields = [("www-authenticate", text("The scheme: Bearer."))]
          case .methodNotAllowed: fields = [("allow", text("The methods of the resource."))]
          case .tooManyRequests: fields = [("retry-after", text("Seconds until a request is permitted."))]
          default: break
          }
          var members: [(Value, Value)] = [
            ("description", .string(kind.title)),
            (
              "content",
              .object(
                (
                  "application/problem+json",
                  .object(
                    ("schema", schema(kind == .invalidStream ? "InvalidStream" : "Problem")),
                    ("example", Problem(kind, kind.title).json))
                ))
            ),
          ]
          if !fields.isEmpty { members.append(("headers", .map(ValueMap(fields.map { (Value.string($0.0), $0.1) })))) }
          return (Value.string(kind.rawValue), .map(ValueMap(members)))
        }))
  }

  /// A field of a header.
  static func text(_ description: String) -> Value {
    .object(("description", .string(description)), ("schema", .object(("type", "string"))))
  }
}
