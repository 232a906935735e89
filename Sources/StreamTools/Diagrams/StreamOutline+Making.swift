internal import CEL
internal import StreamCore
public import StreamKit

extension StreamOutline {
  /// Creates the outline of a stream without the files it refers to.
  ///
  /// - Parameters:
  ///   - model: The stream.
  ///   - host: Determines which streams the host's operators use. Default none.
  public init(_ model: StreamModel, host: StreamHost = StreamHost()) {
    self.init(model, name: nil, at: JSONPointer(), OutlineContext(model, options: CompileOptions(host: host)))
  }

  /// Creates the outline of a file's stream and of the files it refers to.
  ///
  /// - Parameters:
  ///   - stream: The file.
  ///   - options: The loader and the host to use.
  public init(_ stream: StreamFile, options: CompileOptions) {
    self.init(stream, options: options, origins: [:])
  }

  /// - Parameter origins: where files were named when they were compiled, by identity.
  init(_ stream: StreamFile, options: CompileOptions, origins: [String: JSONPointer]) {
    let files = options.loader.map { OutlineFiles(of: stream, loader: $0, origins: origins) }
    var context = OutlineContext(stream.model, options: options)
    (context.files, context.loader, context.base) = (files, options.loader, stream.identity)
    self.init(stream.model, name: nil, at: JSONPointer(), context)
    self.files = files?.all ?? []
  }

  /// Creates the outline of a file's stream without the files that its sources name.
  init(of stream: StreamFile, options: CompileOptions) {
    var context = OutlineContext(stream.model, options: options)
    (context.loader, context.base) = (options.loader, stream.identity)
    self.init(stream.model, name: nil, at: JSONPointer(), context)
  }

  init(_ model: StreamModel, name: String?, at pointer: JSONPointer, _ context: OutlineContext) {
    self.name = name
    self.pointer = pointer
    let types = model.typeTable
    inputs = model.inputs.map { name, input in
      Input(
        name: name, type: types.description(of: input.declaredType(in: types)),
        initialValue: input.startingValue(in: types),
        buffer: input.buffer, time: input.time)
    }
    streams = model.streams.map { name, model in
      StreamOutline(model, name: name, at: pointer + JSONPointer(["streams", name]), context)
    }
    outputs = model.outputs.map { name, output in
      Self.output(output, named: name, at: pointer + JSONPointer(["outputs", name]), context)
    }
    guard outputs.isEmpty else {
      steps = []
      return
    }
    let operators = Self.steps(model.operators, at: pointer.appending("operators"), context)
    steps =
      [Self.source(model.source, at: pointer, context)]
      + (model.partition.map { Self.steps($0, around: operators, at: pointer, context) } ?? operators)
  }

  private static func output(
    _ output: StreamModel.Output, named name: String, at pointer: JSONPointer, _ context: OutlineContext
  ) -> Output {
    let place = pointer.appending("stream")
    let stream =
      switch branch(output.stream, .joined, "stream", at: place, context).content {
      case .outline(let outline): outline
      case .name(let name):
        StreamOutline(
          [
            Step(
              kind: .reference, name: name, detail: "", label: nil, pointer: place, branches: [], definition: nil,
              fields: .null)
          ], at: place)
      }
    return Output(name: name, description: output.description, pointer: pointer, stream: stream)
  }

  /// The partition, which feeds the operators of each key, and the operators after it.
  private static func steps(
    _ partition: StreamModel.Partition, around operators: [Step], at pointer: JSONPointer, _ context: OutlineContext
  ) -> [Step] {
    let place = pointer.appending("partition")
    let feed = Step(
      kind: .fed, name: "partition", detail: "", label: nil, pointer: place, branches: [], definition: nil,
      fields: .null)
    var alone = partition
    alone.then = nil
    let step = Step(
      kind: .operator, name: "partition", detail: FieldText.line(alone.json, StreamModel.Partition.spec), label: nil,
      pointer: place,
      branches: [
        Branch(
          relation: .fed, field: "operators",
          content: .outline(StreamOutline([feed] + operators, at: pointer.appending("operators"))))
      ], definition: PartitionMembers(), fields: alone.json)
    return [step] + steps(partition.then?.all ?? [], at: place.appending("then"), context)
  }

  /// Creates the outline of a chain of steps without a model.
  init(
    _ steps: [Step], named name: String? = nil, at pointer: JSONPointer, inputs: [Input] = [],
    streams: [StreamOutline] = []
  ) {
    self.name = name
    self.pointer = pointer
    self.inputs = inputs
    self.streams = streams
    outputs = []
    self.steps = steps
  }

  static func steps(_ operators: [PlacedOperator], at pointer: JSONPointer, _ context: OutlineContext) -> [Step] {
    let pointer = pointer.shared
    return operators.enumerated().map { step($1, at: pointer.appending($0), context) }
  }

  private static func step(_ placed: PlacedOperator, at pointer: JSONPointer, _ context: OutlineContext) -> Step {
    let name = placed.operator.name
    if name == Operator.Custom.applyName { return step(applying: placed, at: pointer, context) }
    let resolved = context.parameters.resolved(placed.operator, within: context.expansion)
    let definition = try? resolved.definition(for: context.host)
    let references = ParameterValues.references(in: placed.operator.fields)
    let fields = pointer.appending(name)
    return Step(
      kind: .operator, name: name,
      detail: FieldText.line(resolved.fields, definition?.spec ?? Operator.entry(named: name)?.spec, references),
      label: placed.label, pointer: pointer,
      branches: (definition?.joined ?? []).map { branch($0, of: name, at: fields + $0.pointer, context) },
      definition: definition, fields: resolved.fields, references: references)
  }

  private static func branch(
    _ joined: JoinedStream, of name: String, at pointer: JSONPointer, _ context: OutlineContext
  ) -> Branch {
    let field = joined.pointer.tokens.joined(separator: "/")
    switch joined.kind {
    case .reference(let reference):
      return branch(reference, joined.captures == nil ? .joined : .started, field, at: pointer, context)
    case .fed(let operators, _, _):
      let feed = Step(
        kind: .fed, name: name, detail: "", label: nil, pointer: pointer, branches: [], definition: nil,
        fields: .null)
      return Branch(
        relation: .fed, field: field,
        content: .outline(StreamOutline([feed] + steps(operators, at: pointer, context), at: pointer)))
    }
  }

  private static func branch(
    _ reference: StreamReference, _ relation: Branch.Relation, _ field: String, at pointer: JSONPointer,
    _ context: OutlineContext
  ) -> Branch {
    switch reference {
    case .name(let name): Branch(relation: relation, field: field, content: .name(name))
    case .model(let model):
      Branch(
        relation: relation, field: field, content: .outline(StreamOutline(model, name: nil, at: pointer, context)))
    }
  }

  private static func source(_ written: Source, at pointer: JSONPointer, _ context: OutlineContext) -> Step {
    let references = ParameterValues.references(in: written.fields ?? .null)
    let source = context.parameters.resolved(written, within: context.expansion)
    guard let definition = source.definition else {
      if case .items(let items) = source { return step(items, at: pointer.appending("stream"), context) }
      return step([], at: pointer.appending("stream"), context)
    }
    let spec = Source.table.first { $0.spec.name == source.name }?.spec ?? definition.spec
    let place = pointer + JSONPointer(["source", source.name ?? spec.name])
    var kind = Step.Kind.source
    var name = source.name ?? spec.name
    var branches: [Branch] = []
    var detail: String?
    switch source {
    case .input(let input):
      (kind, name) = (.input, input.name)
      if input.late == true { detail = "late values" }
    case .stream(let stream):
      if let target = stream.name {
        (kind, name) = (.reference, target)
      } else if let path = stream.file,
        let target = context.files?.name(of: path, for: stream, at: place.appending("file"), context)
      {
        (kind, name) = (.file, target)
        detail = stream.output.map { "output \($0)" }
      }
    case .iif(let iif):
      branches = [branch(iif.then.reference, .joined, "then", at: place.appending("then"), context)]
      if let other = iif.else {
        branches.append(branch(other.reference, .joined, "else", at: place.appending("else"), context))
      }
    default: break
    }
    let fields = source.fields ?? .null
    return Step(
      kind: kind, name: name, detail: detail ?? (kind == .source ? FieldText.line(fields, spec, references) : ""),
      label: nil,
      pointer: place, branches: branches, definition: definition, fields: fields, references: references)
  }

  /// Items: those that have operators are streams of their own.
  private static func step(_ items: [StreamItem], at pointer: JSONPointer, _ context: OutlineContext) -> Step {
    var branches: [Branch] = []
    if items.contains(where: { !$0.operators.isEmpty }) {
      for (index, item) in items.enumerated() {
        let place = pointer.appending(index)
        let value = Step(
          kind: .source, name: "item", detail: FieldText.shortened(JSONWriter.compact(item.value)), label: nil,
          pointer: place, branches: [], definition: nil, fields: .null)
        branches.append(
          Branch(
            relation: .part, field: String(index),
            content: .outline(
              StreamOutline([value] + steps(item.operators, at: place.appending("operators"), context), at: place))))
      }
    }
    let values = items.map { JSONWriter.compact($0.value) }.joined(separator: ", ")
    return Step(
      kind: .source, name: "stream", detail: branches.isEmpty ? FieldText.shortened(values) : "", label: nil,
      pointer: pointer, branches: branches, definition: nil, fields: .list(items.map(\.value)))
  }
}

/// Stands for the members of a partition where words about fields are made.
private struct PartitionMembers: FieldsDefinition {
  static let spec = StreamModel.Partition.spec
}
