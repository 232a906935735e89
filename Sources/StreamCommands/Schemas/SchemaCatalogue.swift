internal import StreamCore
internal import StreamTools

/// A JSON Schema that `streamrun schema` prints.
struct SchemaEntry {
  let name: String
  /// The subject of the schema.
  let summary: String
  let value: Value

  /// The name of the file in `Schemas/`.
  var fileName: String { "\(name).schema.json" }
  var text: String { JSONWriter.pretty(value) + "\n" }

  private init(_ name: String, _ summary: String, file value: Value) {
    self.name = name
    self.summary = summary
    self.value = value
  }

  /// The schema of what a command prints.
  private init(_ name: String, _ summary: String, _ root: Value, definitions: [(String, Value)] = []) {
    self.init(
      name, summary,
      file: SchemaParts.file(name, title: summary, description: Self.note, root, definitions: definitions))
  }

  private static let note = "Describes the output of streamrun 0.1; later versions may add members."

  /// Stream files, then the outputs of commands by their names.
  static let all: [SchemaEntry] = [
    SchemaEntry("stream", "Stream files", file: StreamSchema.value),
    SchemaEntry("bench", "bench --format json", BenchSchema.root, definitions: BenchSchema.definitions),
    SchemaEntry(
      "diagnostics", "validate --format json", SchemaParts.list(of: SchemaParts.reference("diagnostic")),
      definitions: [("diagnostic", OutputSchemas.diagnostic)]),
    SchemaEntry(
      "diff", "diff --format json", OutputSchemas.diff, definitions: OutputSchemas.diffDefinitions),
    SchemaEntry("events", "run --timestamps, each line", OutputSchemas.event),
    SchemaEntry(
      "explain", "explain --format json", ExplainSchema.root, definitions: ExplainSchema.definitions),
    SchemaEntry("hash", "hash --format json", OutputSchemas.hash),
    SchemaEntry(
      "operators", "operators --format json", OutputSchemas.operators,
      definitions: [("entry", OutputSchemas.entry)]),
    SchemaEntry("patch", "diff --format patch", OutputSchemas.patch),
    SchemaEntry(
      "run", "run --timestamps --format json", SchemaParts.list(of: SchemaParts.reference("event")),
      definitions: [("event", OutputSchemas.event)]),
    SchemaEntry(
      "test", "test --format json", TestSchema.root,
      definitions: TestSchema.definitions + [("diagnostic", OutputSchemas.diagnostic)]),
  ]
}
