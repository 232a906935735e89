internal import StreamCore
internal import StreamKit
internal import StreamTools

/// The schema of `explain --format json`.
enum ExplainSchema {
  static let root: Value = OutputSchemas.record(
    nil,
    [
      (
        "parts",
        SchemaParts.list(
          "Each before what belongs to it, which is a level deeper.", of: SchemaParts.reference("part"))
      ),
      (
        "plan",
        OutputSchemas.record(
          "What runs.",
          [
            ("subscriptions", SchemaParts.count("What is subscribed to for one subscription to the stream.", from: 1)),
            (
              "units",
              SchemaParts.list(
                "Each before what it subscribes to, which is a level deeper.", of: SchemaParts.reference("unit"))
            ),
          ])
      ),
    ])

  static let definitions: [(String, Value)] = [
    ("part", part), ("memory", memory), ("expression", expression), ("unit", unit),
  ]

  private static let part: Value = SchemaParts.object(
    nil,
    [
      ("kind", SchemaParts.words(StreamExplanation.Part.Kind.allCases.map(\.rawValue))),
      ("name", SchemaParts.text()), ("label", SchemaParts.text("What people call it.")),
      ("pointer", SchemaParts.text("Where it stands; of what stands in another file, from where that is named.")),
      ("depth", depth), ("does", SchemaParts.text("Sentences for people.")),
      ("in", SchemaParts.text("The type of what comes in.")),
      ("out", SchemaParts.text("The type of what it publishes.")), ("memory", SchemaParts.reference("memory")),
      ("expressions", SchemaParts.list(of: SchemaParts.reference("expression"))),
    ], required: ["kind", "name", "pointer", "depth"])

  private static let memory: Value = SchemaParts.object(
    "What it keeps between values.",
    [
      ("keeps", SchemaParts.text("In words.")),
      ("grows", ["description": "Whether it grows as an expression lets it.", "type": "boolean"]),
      ("atMost", SchemaParts.count("What bounds it.")),
      ("field", SchemaParts.text("The field that says the bound.")),
    ], required: ["keeps", "grows"])

  private static let expression: Value = OutputSchemas.record(
    nil,
    [
      ("field", SchemaParts.text("Where it stands.")), ("expression", SchemaParts.text()),
      ("type", SchemaParts.text("Of what it gives.")), ("leastSteps", SchemaParts.count("Of one evaluation.")),
      (
        "mostSteps",
        ["description": "Null where they grow with the data.", "type": ["integer", "null"], "minimum": 0]
      ),
      ("cost", SchemaParts.text("The steps in words.")),
    ])

  private static let unit: Value = OutputSchemas.record(
    "A machine, or a program of several operators.",
    [
      ("depth", depth),
      ("operators", SchemaParts.list("From the one that hears upstream.", of: SchemaParts.text())),
      ("pointers", SchemaParts.list("Where they stand.", of: SchemaParts.text())),
      ("subscriptions", SchemaParts.count("How often it is subscribed to.", from: 1)),
      ("repeated", ["description": "Whether it stands further up already.", "type": "boolean"]),
      ("shared", ["description": "Whether its subscribers share one subscription.", "type": "boolean"]),
      ("program", SchemaParts.list("Its instructions, if it is a program.", of: SchemaParts.text())),
    ])

  private static let depth = SchemaParts.count("Levels below the whole.")
}
