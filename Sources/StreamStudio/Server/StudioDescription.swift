internal import StreamCore

/// The description of the studio's interface, in OpenAPI 3.1: `GET /api/openapi.json`.
enum StudioDescription {
  static let document: Value = [
    "openapi": "3.1.0",
    "info": [
      "title": "streamstudio", "version": "1",
      "description": """
      Requests about drafts of stream files. Texts are whole texts, ranges and offsets are in UTF-16 units, times in \
      seconds. A draft is what an editor holds; only `PUT /file` writes to the disk. The double 2 is `{"$double": 2}`.
      """,
    ],
    "servers": [["url": "/api"]], "security": [["bearer": []]], "paths": paths,
    "components": [
      "securitySchemes": [
        "bearer": ["type": "http", "scheme": "bearer", "description": "The token of the link that the studio prints."]
      ],
      "schemas": [
        "Problem": object(["title": "string", "status": "integer", "detail": "string"], required: ["title", "status"])
      ],
    ],
  ]

  private static var paths: Value {
    var items: [(String, [(Value, Value)])] = []
    for route in StudioRoute.all + StudioRoute.streams {
      let operation = (Value.string(route.method.rawValue.lowercased()), operation(route))
      if let index = items.firstIndex(where: { $0.0 == route.path }) {
        items[index].1.append(operation)
      } else {
        items.append((route.path, [operation]))
      }
    }
    return .map(ValueMap(items.map { (.string($0.0), .map(ValueMap($0.1))) }))
  }

  private static func operation(_ route: StudioRoute) -> Value {
    var members: [(Value, Value)] = [("summary", .string(route.summary))]
    let places = route.parameters.filter { $0.place != .body }
    if !places.isEmpty {
      members.append(
        (
          "parameters",
          .list(
            places.map { parameter in
              [
                "name": .string(parameter.name), "in": .string(parameter.place.rawValue),
                "required": .bool(parameter.isRequired), "schema": ["type": .string(parameter.type)],
              ]
            })
        ))
    }
    let body = route.parameters.filter { $0.place == .body }
    if !body.isEmpty {
      let schema = object(
        Dictionary(body.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first }),
        required: body.filter(\.isRequired).map(\.name))
      members.append(("requestBody", ["required": true, "content": ["application/json": ["schema": schema]]]))
    }
    let type: Value = route.hasEvents ? "text/event-stream" : "application/json"
    let problem: Value = ["schema": ["$ref": "#/components/schemas/Problem"]]
    members.append(
      (
        "responses",
        [
          "200": ["description": "The answer.", "content": .map(ValueMap([(type, .map(ValueMap([])))]))],
          "default": ["description": "Why there is none.", "content": ["application/problem+json": problem]],
        ]
      ))
    return .map(ValueMap(members))
  }

  private static func object(_ members: [String: String], required: [String]) -> Value {
    let properties = members.sorted { $0.key < $1.key }.map { name, type -> (Value, Value) in
      (.string(name), type == "any" ? .map(ValueMap([])) : ["type": .string(type)])
    }
    return [
      "type": "object", "properties": .map(ValueMap(properties)), "required": .list(required.map(Value.string)),
    ]
  }
}
