internal import StreamCore
internal import StreamTools

/// The schema of `explain --format json`.
enum ExplainSchema {
  static let root: Value = OutputSchemas.record(
    members: [
      "parts": SchemaParts.list(
        "Each part precedes its own parts, which are a level deeper.", of: SchemaParts.reference("part")),
      "plan": OutputSchemas.record(
        "The compiled plan.",
        members: [
          "subscriptions": SchemaParts.count("Number of subscriptions for one subscription to the stream.", from: 1),
          "units": SchemaParts.list(
            "Each unit precedes its upstreams, which are a level deeper.", of: SchemaParts.reference("unit")),
        ]),
    ])

  static let definitions: [(String, Value)] = [
    ("part", part), ("memory", memory), ("expression", expression), ("unit", unit),
  ]

  private static let part: Value = SchemaParts.object(
    members: [
      "kind": SchemaParts.words(StreamExplanation.Part.Kind.allCases.map(\.rawValue)),
      "name": SchemaParts.text(), "label": SchemaParts.text("The label."),
      "pointer": SchemaParts.text("Location; for a part of another file, relative to the reference."),
      "depth": depth, "does": SchemaParts.text("A description in sentences."),
      "in": SchemaParts.text("The type of the input values."),
      "out": SchemaParts.text("The type of the published values."), "memory": SchemaParts.reference("memory"),
      "expressions": SchemaParts.list(of: SchemaParts.reference("expression")),
    ], required: ["kind", "name", "pointer", "depth"])

  private static let memory: Value = SchemaParts.object(
    "The state kept between values.",
    members: [
      "keeps": SchemaParts.text("A description."),
      "grows": ["description": "Whether an expression determines its size.", "type": "boolean"],
      "atMost": SchemaParts.count("Maximum size."),
      "field": SchemaParts.text("The field that sets the bound."),
    ], required: ["keeps", "grows"])

  private static let expression: Value = OutputSchemas.record(
    members: [
      "field": SchemaParts.text("The field."), "expression": SchemaParts.text(),
      "type": SchemaParts.text("The type of the result."),
      "leastSteps": SchemaParts.count("Minimum steps of one evaluation."),
      "mostSteps": [
        "description": "Maximum steps of one evaluation; null if they grow with the data.",
        "type": ["integer", "null"], "minimum": 0,
      ],
      "cost": SchemaParts.text("A description of the cost."),
    ])

  private static let unit: Value = OutputSchemas.record(
    "A machine, or a program of several operators.",
    members: [
      "depth": depth,
      "operators": SchemaParts.list(
        "The operators, beginning with the one next to the upstream.", of: SchemaParts.text()),
      "pointers": SchemaParts.list("Their locations.", of: SchemaParts.text()),
      "subscriptions": SchemaParts.count("Number of subscriptions.", from: 1),
      "repeated": ["description": "Whether it appears earlier in the list.", "type": "boolean"],
      "shared": ["description": "Whether its subscribers share one subscription.", "type": "boolean"],
      "program": SchemaParts.list("The instructions of a program.", of: SchemaParts.text()),
    ])

  private static let depth = SchemaParts.count("Number of levels below the whole stream.")
}
