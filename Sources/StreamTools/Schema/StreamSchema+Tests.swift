internal import StreamCore
internal import StreamKit

extension StreamSchema {
  /// A test of the stream.
  static let test: Value = SchemaParts.adding(
    [
      "defaultSnippets": [["label": "test", "body": ["name": "$1", "expect": ["values": ["^$2"]]]]]
    ],
    to: SchemaParts.object(
      "A test, run in virtual time.",
      members: [
        "name": SchemaParts.text("The name: a sentence that states the expected behavior."),
        "parameters": ["description": "Values of the file's parameters, by name.", "type": "object"],
        "inputs": SchemaParts.named(
          "Events fed to inputs, and events that replace named streams.", SchemaParts.reference("fed")),
        "calls": SchemaParts.named("Results of host functions, by name.", SchemaParts.reference("calls")),
        "for": ["description": "Seconds of virtual time after which the run ends.", "type": "number", "minimum": 0],
        "expect": SchemaParts.reference("expected"),
      ], required: ["name", "expect"], isExtensible: true))

  static let fed = script(
    "The events to feed: one of `marbles`, `events` and `values` (read when the stream wants them, then the end).",
    failure: "Beside `values`: the input fails after them with this error, any JSON value.")
  static let expected = script(
    "The expected events: one of `marbles`, `events` and `values` (in this order, at any time, then the end), or "
      + "`outputs` with those of each output.", failure: expectedFailure, hasOutputs: true)
  static let expectedOutput = script(
    "The expected events of an output: one of `marbles`, `events` and `values`.", failure: expectedFailure)

  private static let expectedFailure =
    "Beside `values`: the stream fails after them. `true` is any failure, a string an error or its code, and an "
    + "object is compared by the members that it has."

  /// Returns the schema of a script of events in one of three forms. `values` beside `marbles` defines the symbols.
  ///
  /// - Parameter hasOutputs: Whether it may have the scripts of several outputs instead.
  private static func script(_ description: String, failure: String, hasOutputs: Bool = false) -> Value {
    let outputs: [(String, Value)] =
      hasOutputs
      ? [
        (
          "outputs",
          SchemaParts.named(
            "The expected events of outputs, by name; other outputs are not compared.",
            SchemaParts.reference("expectedOutput"))
        )
      ] : []
    let ofOutputs: [Value] =
      hasOutputs ? [["required": ["outputs"], "not": ["anyOf": others(than: "outputs")]]] : []
    let frame: Value = ["description": "Duration of a frame in seconds. Default 0.001.", "default": 0.001]
    return SchemaParts.adding(
      [
        "oneOf": .list(
          [
            [
              "required": ["marbles"], "not": ["anyOf": others(than: "marbles")],
              "properties": [
                "values": ["type": "object"],
                "frame": ["type": "number", "exclusiveMinimum": 0, "maximum": 86_400],
              ],
            ],
            ["required": ["events"], "not": ["anyOf": others(than: "events")]],
            [
              "required": ["values"], "not": ["anyOf": others(than: "values")],
              "properties": ["values": ["type": "array"]],
            ],
          ] + ofOutputs)
      ],
      to: SchemaParts.object(
        description,
        members: SchemaParts.adding(
          SchemaParts.members(outputs),
          to: [
            "marbles": [
              "description": "A marble diagram.", "type": "string", "examples": ["-a-b|", "--(ab)-#", "[ab|]"],
            ],
            "events": SchemaParts.list("The events in order of time.", of: SchemaParts.reference("event")),
            "values": ["description": "An array of values; beside `marbles` an object with the values of the symbols."],
            "frame": frame,
            "finished": [
              "description": "Beside `values`: whether the end follows them; false if it stays open. Default true.",
              "type": "boolean",
            ],
            "failure": ["description": .string(failure)],
          ]), isExtensible: true))
  }

  /// Returns the requirements of members that a form of a script cannot have.
  private static func others(than form: String) -> Value {
    let names: [[String]] =
      switch form {
      case "marbles": [["events"], ["finished"], ["failure"]]
      case "events": [["marbles"], ["values"], ["finished"], ["failure"]]
      case "outputs": [["marbles"], ["events"], ["values"], ["frame"], ["finished"], ["failure"]]
      default: [["marbles"], ["events"], ["finished", "failure"]]
      }
    return .list(names.map { ["required": .list($0.map(Value.string))] })
  }

  /// The schema of an event.
  static let event: Value = SchemaParts.adding(
    ["oneOf": [["required": ["value"]], ["required": ["finished"]], ["required": ["failure"]]]],
    to: SchemaParts.object(
      "An event: a value, the end or a failure.",
      members: [
        "at": ["description": "Seconds, 0 or more.", "type": "number", "minimum": 0, "maximum": 1_000_000_000],
        "value": ["description": "The value."],
        "finished": ["description": "The end.", "const": true],
        "failure": ["description": "The error: any JSON value."],
      ], required: ["at"], isExtensible: true))

  /// The schema of a host function's results.
  static let calls: Value = [
    "description": "A result, or an array of results; the first one that matches a call is used.",
    "anyOf": [SchemaParts.reference("answer"), SchemaParts.list(of: SchemaParts.reference("answer"))],
  ]

  static let answer: Value = SchemaParts.adding(
    ["oneOf": [["required": ["value"]], ["required": ["expression"]], ["required": ["failure"]]]],
    to: SchemaParts.object(
      "A result of a host function.",
      members: [
        "argument": ["description": "The argument this result is for; if absent, any argument."],
        "after": [
          "description": "Delay of the result in seconds. Default 0.", "type": "number", "minimum": 0,
          "maximum": 1_000_000_000, "default": 0,
        ],
        "value": ["description": "The value."],
        "expression": SchemaParts.described(FieldSpec.Kind.expression(["argument"]).schema, "Computes the result."),
        "failure": ["description": "The error: any JSON value."],
      ], isExtensible: true))
}
