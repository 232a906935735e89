internal import StreamCore
internal import StreamKit
internal import StreamTools

/// The schema of `bench --format json`.
enum BenchSchema {
  static let root: Value = OutputSchemas.record(
    nil,
    [
      ("rounds", SchemaParts.count("How often each stream was measured.", from: 1)),
      ("streams", SchemaParts.list(of: SchemaParts.reference("stream"))),
    ])

  static let definitions: [(String, Value)] = [("stream", stream)]

  private static let stream: Value = SchemaParts.object(
    "A stream, or the same with its first operators alone.",
    [
      ("name", SchemaParts.text("Its file.")),
      ("operators", SchemaParts.count("The number of operators that were measured, where it is not all.")),
      ("nanosecondsPerValue", number("The median of the rounds, for a value that goes in.")),
      ("ratio", number("To the first whole stream.")),
      ("rounds", SchemaParts.list("Nanoseconds a value of each round, from the least.", of: number(nil))),
      ("valuesIn", SchemaParts.count("What went in in one run.")),
      ("valuesOut", SchemaParts.count("What came out in one run.")),
      ("skipped", SchemaParts.count("Values that an operator failed at, and that were left out.")),
      ("subscriptions", SchemaParts.count("How often the stream was subscribed to in one run.", from: 1)),
      ("compileNanoseconds", number("The median of reading, checking and compiling its file.")),
    ],
    required: [
      "name", "nanosecondsPerValue", "ratio", "rounds", "valuesIn", "valuesOut", "skipped", "subscriptions",
      "compileNanoseconds",
    ])

  private static func number(_ description: String?) -> Value {
    SchemaParts.described(["type": "number", "minimum": 0], description)
  }
}
