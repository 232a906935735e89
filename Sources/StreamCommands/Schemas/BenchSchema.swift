internal import StreamCore
internal import StreamTools

/// The schema of `bench --format json`.
enum BenchSchema {
  static let root: Value = OutputSchemas.record(
    members: [
      "rounds": SchemaParts.count("Number of rounds; each round measures every stream.", from: 1),
      "streams": SchemaParts.list(of: SchemaParts.reference("stream")),
    ])

  static let definitions: [(String, Value)] = [("stream", stream)]

  private static let stream: Value = SchemaParts.object(
    "The figures of a stream, or of its first operators.",
    members: [
      "name": SchemaParts.text("The stream's file."),
      "operators": SchemaParts.count("Number of operators measured; absent for the whole stream."),
      "nanosecondsPerValue": number("Median of the rounds, per input value."),
      "ratio": number("Ratio to the first whole stream."),
      "rounds": SchemaParts.list("Nanoseconds per value for each round, in ascending order.", of: number(nil)),
      "valuesIn": SchemaParts.count("Number of input values per run."),
      "valuesOut": SchemaParts.count("Number of output values per run."),
      "skipped": SchemaParts.count("Number of values skipped because an operator failed."),
      "subscriptions": SchemaParts.count("Number of subscriptions per run.", from: 1),
      "compileNanoseconds": number("Median time for reading, checking and compiling the file."),
    ],
    required: [
      "name", "nanosecondsPerValue", "ratio", "rounds", "valuesIn", "valuesOut", "skipped", "subscriptions",
      "compileNanoseconds",
    ])

  private static func number(_ description: String?) -> Value {
    SchemaParts.described(["type": "number", "minimum": 0], description)
  }
}
