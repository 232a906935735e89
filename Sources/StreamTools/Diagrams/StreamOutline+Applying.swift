internal import StreamCore
internal import StreamKit

extension StreamOutline {
  /// The operators that an `apply` stands for.
  private struct Application {
    /// "definition smooth, at /definitions/smooth" or "file smooth.json".
    let title: String
    let description: String?
    let outline: StreamOutline
  }

  /// Returns the step of an `apply`, with the operators that it stands for.
  static func step(applying placed: PlacedOperator, at pointer: JSONPointer, _ context: OutlineContext) -> Step {
    let fields = placed.operator.fields
    let field = fields.member("definition") == nil ? "file" : "definition"
    let place = pointer + JSONPointer([placed.operator.name, field])
    let name = fields.member(field)?.text ?? ""
    var arguments = Value.map(ValueMap())
    if case .map(let map) = fields { arguments = .map(ValueMap(map.pairs.filter { $0.0.text != field })) }
    let references = ParameterValues.references(in: arguments)
    let resolved = context.parameters.substituted(arguments)
    let set = FieldText.line(resolved, nil, references)
    let application =
      field == "definition"
      ? definition(named: name, arguments, at: place, context) : file(name, arguments, at: place, context)
    let title = application?.title ?? "\(field) \(name)"
    let about = application?.description.map { " " + $0 } ?? ""
    return Step(
      kind: .operator, name: placed.operator.name, detail: name + (set.isEmpty ? "" : ", \(set)"), label: placed.label,
      pointer: pointer,
      branches: application.map { [Branch(relation: .applied, field: field, content: .outline($0.outline))] } ?? [],
      definition: nil, fields: resolved, references: references,
      summary: "Applies the operators of the \(title).\(about)")
  }

  private static func definition(
    named name: String, _ arguments: Value, at place: JSONPointer, _ context: OutlineContext
  ) -> Application? {
    let identity = "\(context.base ?? "")#\(name)"
    guard let found = context.definitions[name], let inner = enter(identity, context),
      context.expansion.use(identity, { found.json })
    else { return nil }
    var context = inner
    context.parameters = context.parameters.applying(found.parameters, to: arguments, isDefinition: true)
    let pointer = place + JSONPointer(["definitions", name])
    let steps = Self.steps(found.operators, at: pointer.appending("operators"), context)
    return Application(
      title: "definition \(name), at \(JSONPointer(["definitions", name]))", description: found.description,
      outline: StreamOutline(steps, named: name, at: pointer))
  }

  private static func file(
    _ path: String, _ arguments: Value, at place: JSONPointer, _ context: OutlineContext
  ) -> Application? {
    guard let loaded = try? context.loader?.load(path, relativeTo: context.base),
      case .input(let source) = loaded.model.source, let inner = enter(loaded.identity, context),
      context.expansion.use(loaded.identity, { loaded.document.value })
    else { return nil }
    var context = inner.entering(loaded)
    context.parameters = inner.parameters.applying(loaded.model.parameters, to: arguments, isDefinition: false)
    let steps = Self.steps(loaded.model.operators, at: place.appending("operators"), context)
    // Its operators have just been outlined.
    var others = loaded.model
    (others.source, others.operators) = (.items([]), [])
    let whole = StreamOutline(others, name: path, at: place, context)
    var bindings: [String: String] = [:]
    if case .map(let bound)? = arguments.member("inputs") {
      for (name, target) in bound.pairs { if let name = name.text { bindings[name] = target.text } }
    }
    var outline = StreamOutline(
      steps, named: path, at: place,
      inputs: whole.inputs.filter { $0.name != source.name }, streams: whole.streams)
    outline.bind(bindings)
    return Application(title: "file \(path)", description: loaded.model.description, outline: outline)
  }

  /// The context within a definition or a file; nil within itself. An `apply` within the text that is too long is drawn as
  /// one operator, too.
  private static func enter(_ identity: String, _ context: OutlineContext) -> OutlineContext? {
    guard !context.applied.contains(identity), context.applied.count < Compiler.depthLimit else { return nil }
    var context = context
    context.applied.append(identity)
    return context
  }
}
