public import StreamCore

/// Coded as the object under `source` of a stream file or, for items, as the array under `stream`.
///
/// NB: decoding drops the author's `x-` members. `StreamModel` keeps them.
extension Source: StreamFilePart {
  public init(json: Value) throws(Diagnostics) {
    switch json {
    case .list: self = .items(try MemberReader.elements(of: json, named: "stream", StreamItem.read))
    case .map(let map): self = try Self.read(map)
    default:
      throw Diagnostics(
        .wrongType, "expected a source, which is an object, or an array of items; found \(json.describedType)")
    }
  }

  public var json: Value {
    if case .items(let items) = self { return .list(items.map(\.json)) }
    guard let name, let fields else { return [:] }
    return .map(ValueMap([(.string(name), fields)]))
  }

  /// Reads `stream` or `source` of a model. There must be exactly one.
  static func read(_ reader: inout MemberReader) -> Source {
    switch (reader.has("stream"), reader.has("source")) {
    case (true, true):
      reader.append(
        Diagnostic(
          .conflictingFields, "a stream has 'stream' or 'source', not both", at: JSONPointer(["source"]), part: .key,
          help: "remove one of them"))
    case (false, false):
      reader.append(
        Diagnostic(
          .missingField, "a stream needs 'stream' (an array of items) or 'source'",
          help: "write \"stream\": [{\"value\": 1}] or \"source\": {\"input\": {\"name\": \"a\"}}"))
    case (true, false):
      return .items(reader.partialElements("stream", StreamItem.read) ?? [])
    case (false, true):
      guard let map = reader.object("source", form: form) else { break }
      do throws(Diagnostics) {
        return try read(map)
      } catch {
        reader.append(error, under: "source")
      }
    }
    return .items([])
  }

  static func read(_ map: ValueMap) throws(Diagnostics) -> Source {
    let names = map.keys.compactMap(\.text).filter { !$0.hasPrefix("x-") }
    guard let name = names.first, names.count == 1, let fields = map[name] else {
      throw Diagnostics(
        .notOneSource,
        "'source' has exactly one source; found \(names.isEmpty ? "none" : names.joined(separator: ", "))",
        at: JSONPointer(names.dropFirst().first.map { [$0] } ?? []), part: names.isEmpty ? .value : .key,
        help: "sources are: \(table.map(\.spec.name).joined(separator: ", "))")
    }
    guard let entry = table.first(where: { $0.spec.name == name }) else {
      let near = nearestName(to: name, among: table.map(\.spec.name))
      throw Diagnostics(
        .unknownSource, "there is no source '\(name)'", at: JSONPointer([name]), part: .key,
        help: advice[name] ?? operatorAdvice(name) ?? near.map { "did you mean '\($0)'?" }
          ?? "sources are: \(table.map(\.spec.name).joined(separator: ", "))")
    }
    if Operator.Custom.hasReference(fields) {
      return .parameterized(Operator.Custom(name: name, fields: fields.removingExtensions))
    }
    do throws(Diagnostics) {
      return try entry.read(fields)
    } catch {
      throw error.prefixed(by: JSONPointer([name]))
    }
  }

  /// Returns help for an operator that is written as a source; nil for other names.
  private static func operatorAdvice(_ name: String) -> String? {
    guard Operator.entry(named: name) != nil else { return nil }
    return "'\(name)' is an operator: write it in \"operators\", after a source such as {\"input\": {\"name\": \"a\"}}"
  }

  /// Help for the sources of other tools.
  private static let advice: [String: String] = {
    let feed = "pipe the records into streamrun, one JSON value per line, and read them with the source 'input'"
    var table = [
      "interval": "did you mean 'timer'?", "cron": "write {\"timer\": {\"every\": 60}}, and a filter over now()",
      "stdin": "write {\"input\": {\"name\": \"stdin\"}}, and declare the input",
      "of": "did you mean 'sequence'?", "from": "did you mean 'sequence'?", "items": "did you mean 'sequence'?",
      "list": "did you mean 'sequence'?", "array": "did you mean 'sequence'?", "throw": "did you mean 'fail'?",
      "throwError": "did you mean 'fail'?", "defer": "did you mean 'just', with an expression?",
    ]
    for format in FileFormat.allCases.map(\.rawValue) {
      table[format] = "write {\"file\": {\"path\": \"…\", \"format\": \"\(format)\"}}"
    }
    for name in [
      "kafka", "http", "https", "http_server", "http_client", "websocket", "ws", "mqtt", "amqp", "nats",
      "redis", "kinesis", "pubsub", "s3", "sql", "postgres", "mysql", "url", "fetch", "ajax", "socket", "syslog",
      "exec",
    ] { table[name] = feed }
    return table
  }()

  /// Returns help for a source that is written as another value than an object; nil if nothing is known of it.
  static func form(for value: Value) -> String? {
    value.text.map { name in
      table.contains { $0.spec.name == name }
        ? "write {\"\(name)\": {…}} with its fields; 'streamrun operators \(name)' describes them"
        : "write {\"stream\": {\"name\": \(JSONWriter.compact(.string(name)))}}, or {\"input\": {\"name\": …}}"
    }
  }

  func write(_ writer: inout MemberWriter, _ extensions: StreamModel.SourceExtensions) {
    if case .items(let items) = self {
      writer.add("stream", items.map(\.json), always: true)
    } else if let name, let fields {
      var inner = MemberWriter()
      inner.add(name, fields.adding(extensions.amongFields))
      inner.add(extensions.besideSource)
      writer.add("source", inner.value)
    }
  }
}

extension Value {
  /// An object without the author's own members.
  var removingExtensions: Value {
    guard case .map(let map) = self else { return self }
    return .map(ValueMap(map.pairs.filter { $0.0.text?.hasPrefix("x-") != true }))
  }
}
