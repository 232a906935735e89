internal import StreamKit

/// The shape of a value in a stream file: its members and their order.
enum FileShape: Sendable {
  /// A whole file, a named stream, or an inline model. The name of a stream has no members.
  case stream
  case item, placedOperator, partition, input, output, buffer, test, script, event, answer, parameter, definition
  case source
  /// The fields of an operator or a source; those of `record` hold events.
  case fields([FieldSpec], isRecord: Bool)
  /// An array of these. A value that is not an array is an element of one.
  indirect case list(FileShape)
  /// An object whose keys are names, each for one of these.
  indirect case names(FileShape)
  /// A custom value, whose keys stay in their order.
  case plain

  /// The keys that are known here, in the order in which they are written; `names` are those in the file.
  private func keys(_ names: [String]) -> [String] {
    switch self {
    case .stream: StreamModel.keys
    case .item: StreamItem.keys
    case .placedOperator:
      // The name of an operator is written between its label and `onError`.
      ["id", "label"] + names.filter { !PlacedOperator.besides.contains($0) && !Self.isExtension($0) } + ["onError"]
    case .partition: StreamModel.Partition.keys
    case .input: InputDeclaration.keys
    case .output: StreamModel.Output.keys
    case .buffer: InputDeclaration.Buffer.keys
    case .test: StreamTest.keys
    case .script: StreamTest.EventScript.keys + ["outputs"]
    case .event: Source.Record.Event.keys
    case .answer: StreamTest.CallScript.Answer.keys
    case .parameter: ParameterDeclaration.keys
    case .definition: OperatorDefinitionPart.keys
    case .fields(let specs, _): specs.map(\.name)
    case .source, .list, .names, .plain: names
    }
  }

  /// Returns the indices of keys in their canonical order: known keys, then unknown ones, then custom members, each of
  /// the latter two in their present order.
  func order(of names: [String]) -> [Int] {
    if case .plain = self { return Array(names.indices) }
    if case .names = self { return Array(names.indices) }
    let keys = keys(names)
    let ranks = names.map { name in
      keys.firstIndex(of: name) ?? (Self.isExtension(name) ? keys.count + 1 : keys.count)
    }
    return names.indices.sorted { ranks[$0] != ranks[$1] ? ranks[$0] < ranks[$1] : $0 < $1 }
  }

  /// Returns the shape of a member's value.
  func member(_ name: String) -> FileShape {
    if Self.isExtension(name), !isOfNames { return .plain }
    switch (self, name) {
    case (.list(let element), _): return element.member(name)
    case (.names(let element), _): return element
    case (.stream, "types"): return .names(.plain)
    case (.stream, "parameters"), (.definition, "parameters"): return .names(.parameter)
    case (.stream, "definitions"): return .names(.definition)
    case (.stream, "inputs"): return .names(.input)
    case (.stream, "streams"): return .names(.stream)
    case (.stream, "outputs"): return .names(.output)
    case (.output, "stream"): return .stream
    case (.stream, "stream"): return .list(.item)
    case (.stream, "source"): return .source
    case (.stream, "tests"), (.definition, "tests"): return .list(.test)
    case (.stream, "partition"): return .partition
    case (.stream, "operators"), (.item, "operators"), (.partition, "then"), (.definition, "operators"):
      return .list(.placedOperator)
    case (.input, "buffer"): return .buffer
    case (.input, "time"): return .fields(InputDeclaration.EventTime.spec.fields, isRecord: false)
    case (.test, "inputs"): return .names(.script)
    case (.test, "calls"): return .names(.list(.answer))
    case (.test, "expect"): return .script
    case (.script, "events"): return .list(.event)
    case (.script, "outputs"): return .names(.script)
    case (.placedOperator, _):
      return .fields(Operator.entry(named: name)?.spec.fields ?? [], isRecord: false)
    case (.source, _):
      return .fields(Source.table.first { $0.spec.name == name }?.spec.fields ?? [], isRecord: name == "record")
    case (.fields(_, isRecord: true), "events"): return .list(.event)
    case (.fields(let specs, _), _): return specs.first { $0.name == name }?.kind.shape ?? .plain
    default: return .plain
    }
  }

  /// The shape of the elements of an array.
  var element: FileShape {
    if case .list(let element) = self { element } else { .plain }
  }

  private var isOfNames: Bool { if case .names = self { true } else { false } }

  private static func isExtension(_ name: String) -> Bool { name.hasPrefix("x-") }
}

extension FieldSpec.Kind {
  /// The shape of a field of this kind.
  fileprivate var shape: FileShape {
    switch self {
    case .stream, .boolOrStream: .stream
    case .streams: .list(.stream)
    case .operators: .list(.placedOperator)
    default: .plain
    }
  }
}
