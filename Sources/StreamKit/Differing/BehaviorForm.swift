internal import CEL
internal import StreamCore
internal import StreamEngine

extension StreamModel {
  /// The identifier of the behavior: `sha256:` and 64 hexadecimal digits, equal for files with equivalent streams.
  ///
  /// It ignores names, descriptions, labels, ids, tests and custom members; the order of keys; defaults written out;
  /// the difference between `1.0` and `1` in a number of seconds; and the spelling of expressions. Files referred to by
  /// path count by that path.
  public var behaviorID: String {
    // NB: the first line distinguishes it from the ID of a content, and names what is counted.
    JSONDocument.id(of: Array("behavior 1\n".utf8) + JSONWriter.sorted(BehaviorForm.of(self)))
  }
}

/// The parts of a file that determine its behavior, each in a canonical spelling.
enum BehaviorForm {
  static func of(_ model: StreamModel) -> Value {
    var writer = MemberWriter()
    writer.add("requires", Set(model.requires).sorted().map(Value.string))
    writer.add("parameters", model.parameters.mapValues(of))
    writer.add("definitions", model.definitions.mapValues(of))
    writer.add("types", model.types.mapValues(\.json))
    writer.add("seed", model.seed.map { .int(Int64($0)) })
    writer.add("inputs", model.inputs.mapValues { of($0, model.typeTable) })
    writer.add("streams", model.streams.mapValues(of))
    switch model.source {
    case .items where !model.outputs.isEmpty: writer.add("outputs", model.outputs.mapValues(of))
    case .items(let items): writer.add("stream", items.map(of), always: true)
    case let source:
      if case .parameterized(let custom) = source {
        writer.add("source", [.string(custom.name): of(source: custom)])
      } else if let fields = source.definition {
        writer.add("source", [.string(fields.spec.name): of(fields)])
      }
    }
    writer.add("partition", model.partition.map(of))
    writer.add("operators", model.operators.map(of))
    return writer.value
  }

  private static func of(_ parameter: ParameterDeclaration) -> Value {
    ParameterDeclaration(type: parameter.type, default: parameter.defaultValue).json
  }

  private static func of(_ definition: OperatorDefinitionPart) -> Value {
    var writer = MemberWriter()
    writer.add("parameters", definition.parameters.mapValues(of))
    writer.add("operators", definition.operators.map(of), always: true)
    return writer.value
  }

  private static func of(_ partition: StreamModel.Partition) -> Value {
    var writer = MemberWriter()
    writer.add("key", partition.key.form)
    writer.add("as", partition.as == "key" ? nil : partition.as)
    writer.add("time", partition.time?.form)
    if let lateness = partition.lateness, lateness > StreamModel.Partition.defaultLateness {
      writer.add("lateness", .double(lateness))
    }
    if let late = partition.late, late != StreamModel.Partition.defaultLate { writer.add("late", late.rawValue) }
    writer.add("then", (partition.then?.all ?? []).map(of))
    return writer.value
  }

  /// The form of the clock that an input declares; nil for none.
  static func ofTime(_ input: Value) -> Value? { InputDeclaration.read(input).0.time.map { of($0) } }

  private static func of(_ input: InputDeclaration, _ types: TypeTable) -> Value {
    var writer = MemberWriter()
    // Converted to the declared type: 1 is 1.0 in an input of doubles.
    writer.add("initialValue", input.startingValue(in: types))
    writer.add("type", input.type.flatMap { type(of: $0.json, input.declaredType) })
    writer.add("buffer", input.buffer?.json)
    writer.add("time", input.time.map { of($0) })
    return writer.value
  }

  /// Returns a type in a canonical spelling; nil for `dyn`. An object of fields stays an object.
  private static func type(of json: Value, _ declared: CELType) -> Value? {
    if declared == .dyn { return nil }
    if case .string = json { return .string(declared.description) }
    return json
  }

  private static func of(_ output: StreamModel.Output) -> Value { ["stream": of(output.stream.json, .stream)] }

  private static func of(_ item: StreamItem) -> Value {
    var writer = MemberWriter()
    writer.add("value", item.value)
    writer.add("operators", item.operators.map(of))
    return writer.value
  }

  private static func of(_ placed: PlacedOperator) -> Value {
    var writer = MemberWriter()
    if case .custom(let custom) = placed.operator {
      writer.add(custom.name, of(custom, Operator.entry(named: custom.name)?.spec))
    } else {
      writer.add(placed.operator.name, of(placed.operator.definition))
    }
    if placed.onError == .skip { writer.add("onError", "skip") }
    return writer.value
  }

  /// The form of a source whose fields name parameters.
  static func of(source: Operator.Custom) -> Value {
    of(source, Source.table.first { $0.spec.name == source.name }?.spec)
  }

  /// The form of an operator or a source whose fields name parameters, of an `apply`, and of one that the host has.
  static func of(_ custom: Operator.Custom, _ spec: OperatorSpec?) -> Value {
    let fields = custom.fields.removingExtensions
    guard let spec, custom.isUnresolved else { return fields }
    return of(fields, spec)
  }

  /// The fields that differ from their defaults.
  static func of(_ fields: any FieldsDefinition) -> Value { of(fields.json, fields.spec) }

  private static func of(_ fields: Value, _ spec: OperatorSpec) -> Value {
    guard case .map(let given) = fields else { return fields }
    var writer = MemberWriter()
    for field in spec.fields {
      guard let value = given[field.name], !field.isDefault(value, among: given) else { continue }
      writer.add(field.name, of(value, field.kind))
    }
    return writer.value
  }

  private static func of(_ value: Value, _ kind: FieldSpec.Kind) -> Value {
    switch (kind, value) {
    case (.expression, .string(let text)): return .string(CELExpression(text).form)
    case (.streams, .list(let streams)): return .list(streams.map { of($0, .stream) })
    case (.stream, .map), (.boolOrStream, .map): return (try? StreamModel(json: value)).map(of) ?? value
    case (.operators, .list(let operators)): return .list(operators.map { of(PlacedOperator.read($0).0) })
    default: return value
    }
  }
}
