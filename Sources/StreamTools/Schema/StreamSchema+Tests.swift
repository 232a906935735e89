internal import StreamCore
internal import StreamKit

extension StreamSchema {
  /// A test of the stream.
  static let test: Value = SchemaParts.adding(
    [
      (
        "defaultSnippets",
        [["label": "test", "body": ["name": "$1", "expect": ["values": ["^$2"]]]]]
      )
    ],
    to: SchemaParts.object(
      "What must come out, in virtual time.",
      [
        ("name", SchemaParts.text("A sentence: what holds.")),
        (
          "inputs",
          SchemaParts.named(
            "What is fed to inputs, and what takes the place of named streams.", SchemaParts.reference("fed"))
        ),
        ("calls", SchemaParts.named("What functions of the host give, by name.", SchemaParts.reference("calls"))),
        ("for", ["description": "Seconds of virtual time after which the run ends.", "type": "number", "minimum": 0]),
        ("expect", SchemaParts.reference("expected")),
      ], required: ["name", "expect"], isExtensible: true))

  static let fed = script("What is fed: one of `marbles`, `events` and `values` (all at the start, then the end).")
  static let expected = script(
    "What is expected: one of `marbles`, `events` and `values` (in this order, at any time).")

  /// What happens on a stream, in one of three forms. `values` beside `marbles` says what the symbols stand for.
  private static func script(_ description: String) -> Value {
    let frame: Value = ["description": "Seconds of a frame. Default 0.001.", "default": 0.001]
    return SchemaParts.adding(
      [
        (
          "oneOf",
          [
            [
              "required": ["marbles"], "not": ["required": ["events"]],
              "properties": [
                "values": ["type": "object"],
                "frame": ["type": "number", "exclusiveMinimum": 0, "maximum": 86_400],
              ],
            ],
            ["required": ["events"], "not": ["anyOf": [["required": ["marbles"]], ["required": ["values"]]]]],
            [
              "required": ["values"], "not": ["anyOf": [["required": ["marbles"]], ["required": ["events"]]]],
              "properties": ["values": ["type": "array"]],
            ],
          ]
        )
      ],
      to: SchemaParts.object(
        description,
        [
          (
            "marbles",
            ["description": "A marble diagram.", "type": "string", "examples": ["-a-b|", "--(ab)-#", "[ab|]"]]
          ),
          ("events", SchemaParts.list("What happens, in order of time.", of: SchemaParts.reference("event"))),
          ("values", ["description": "A list of values; beside `marbles` an object: what the symbols stand for."]),
          ("frame", frame),
        ], isExtensible: true))
  }

  /// What happens at one instant.
  static let event: Value = SchemaParts.adding(
    [("oneOf", [["required": ["value"]], ["required": ["finished"]], ["required": ["failure"]]])],
    to: SchemaParts.object(
      "What happens at one instant: a value, the end or a failure.",
      [
        ("at", ["description": "Seconds, 0 or more.", "type": "number", "minimum": 0, "maximum": 1_000_000_000]),
        ("value", ["description": "The value."]),
        ("finished", ["description": "The end.", "const": true]),
        ("failure", ["description": "The error: any JSON value."]),
      ], required: ["at"], isExtensible: true))

  /// What a function of the host gives.
  static let calls: Value = [
    "description": "An answer, or a list of them of which the first that fits is taken.",
    "anyOf": [SchemaParts.reference("answer"), SchemaParts.list(of: SchemaParts.reference("answer"))],
  ]

  static let answer: Value = SchemaParts.adding(
    [("oneOf", [["required": ["value"]], ["required": ["expression"]], ["required": ["failure"]]])],
    to: SchemaParts.object(
      "What a function gives.",
      [
        ("argument", ["description": "The argument that it answers; without it any."]),
        (
          "after",
          [
            "description": "Seconds until the answer comes. Default 0.", "type": "number", "minimum": 0,
            "maximum": 1_000_000_000, "default": 0,
          ]
        ),
        ("value", ["description": "The value."]),
        ("expression", SchemaParts.described(FieldKind.expression(["argument"]).schema, "Gives the value.")),
        ("failure", ["description": "The error: any JSON value."]),
      ], isExtensible: true))
}
