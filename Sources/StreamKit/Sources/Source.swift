public import StreamCore

/// Where the values of a stream come from.
public enum Source: Hashable, Sendable {
  /// `stream`: items one after the other.
  case items([StreamItem])
  case just(Just)
  case range(Range)
  case timer(Timer)
  case input(Input)
  case stream(Stream)
  case record(Record)
  case marbles(Marbles)
  case empty(Empty)
  case never(Never)
  case fail(Fail)
  case call(Call)
  case sequence(Sequence)
  case generate(Generate)
  case repeatElement(RepeatElement)
  case iif(Iif)
  case file(File)

  /// The fields, whichever source it is; items have none.
  public var definition: (any SourceDefinition)? {
    switch self {
    case .items: nil
    case .just(let fields): fields
    case .range(let fields): fields
    case .timer(let fields): fields
    case .input(let fields): fields
    case .stream(let fields): fields
    case .record(let fields): fields
    case .marbles(let fields): fields
    case .empty(let fields): fields
    case .never(let fields): fields
    case .fail(let fields): fields
    case .call(let fields): fields
    case .sequence(let fields): fields
    case .generate(let fields): fields
    case .repeatElement(let fields): fields
    case .iif(let fields): fields
    case .file(let fields): fields
    }
  }

  /// Every source that stands under `source`.
  public static let table: [OperatorEntry<Source>] = [
    OperatorEntry(.source, Source.just),
    OperatorEntry(.source, Source.range),
    OperatorEntry(.source, Source.timer),
    OperatorEntry(.source, Source.input),
    OperatorEntry(.source, Source.stream),
    OperatorEntry(.source, Source.record),
    OperatorEntry(.source, Source.marbles),
    OperatorEntry(.source, Source.empty),
    OperatorEntry(.source, Source.never),
    OperatorEntry(.source, Source.fail),
    OperatorEntry(.source, Source.call),
    OperatorEntry(.source, Source.sequence),
    OperatorEntry(.source, Source.generate),
    OperatorEntry(.source, Source.repeatElement),
    OperatorEntry(.source, Source.iif),
    OperatorEntry(.source, Source.file),
  ]

  /// Reads `stream` or `source` of a model; one of them must be there.
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
          .missingField, "a stream needs 'stream' (a list of items) or 'source'",
          help: "write \"stream\": [{\"value\": 1}] or \"source\": {\"input\": {\"name\": \"a\"}}"))
    case (true, false):
      return .items(reader.partialElements("stream", StreamItem.read) ?? [])
    case (false, true):
      guard let map = reader.object("source") else { break }
      do throws(Diagnostics) {
        return try read(map)
      } catch {
        reader.append(error, under: "source")
      }
    }
    return .items([])
  }

  private static func read(_ map: ValueMap) throws(Diagnostics) -> Source {
    let names = map.keys.compactMap(\.text).filter { !$0.hasPrefix("x-") }
    guard let name = names.first, names.count == 1, let fields = map[name] else {
      throw Diagnostics([
        Diagnostic(
          .notOneSource,
          "'source' has just one source; found \(names.isEmpty ? "none" : names.joined(separator: ", "))",
          at: JSONPointer(names.dropFirst().first.map { [$0] } ?? []), part: names.isEmpty ? .value : .key,
          help: "sources are: \(table.map(\.spec.name).joined(separator: ", "))")
      ])
    }
    guard let entry = table.first(where: { $0.spec.name == name }) else {
      let near = nearestName(to: name, among: table.map(\.spec.name))
      throw Diagnostics([
        Diagnostic(
          .unknownSource, "there is no source '\(name)'", at: JSONPointer([name]), part: .key,
          help: near.map { "did you mean '\($0)'?" }
            ?? "sources are: \(table.map(\.spec.name).joined(separator: ", "))")
      ])
    }
    do throws(Diagnostics) {
      return try entry.read(fields)
    } catch {
      throw error.prefixed(by: JSONPointer([name]))
    }
  }

  func write(_ writer: inout MemberWriter, _ extensions: SourceExtensions) {
    if case .items(let items) = self {
      writer.add("stream", items.map(\.json), always: true)
    } else if let definition {
      var inner = MemberWriter()
      inner.add(definition.spec.name, definition.json.adding(extensions.amongFields))
      inner.add(extensions.besideSource)
      writer.add("source", inner.value)
    }
  }
}

/// A source: its fields and what they mean.
public protocol SourceDefinition: FieldsDefinition {
  /// What every subscription starts with.
  func makeSource(_ context: inout SourceContext) throws(Diagnostics) -> CompiledStream
}
