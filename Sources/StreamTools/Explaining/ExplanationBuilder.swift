internal import CEL
internal import StreamCore
internal import StreamEngine
internal import StreamKit

/// Walks through an outline and describes each part.
struct ExplanationBuilder {
  private let record: CompileRecord
  private(set) var parts: [StreamExplanation.Part] = []
  private let equalTimes: EqualTimes

  init(_ record: CompileRecord, of outline: StreamOutline) {
    self.record = record
    equalTimes = EqualTimes(in: outline)
  }

  mutating func add(_ outline: StreamOutline, depth: Int) {
    for file in outline.files {
      heading(.file, file.name ?? "", file.pointer, "", depth)
      add(file, depth: depth + 1)
    }
    for input in outline.inputs {
      let initial = input.initialValue.map {
        "Its initial value is \(FieldText.shortened(JSONWriter.compact($0))); a subscriber receives the latest value first."
      }
      let waiting = input.buffer.map {
        "Without demand, it buffers up to \($0.capacity.counted("value")); when the buffer is full, \($0.whenFull.consequence)."
      }
      let time = input.time.map { time in
        "The stream runs by its times: \(FieldText.line(time.json, InputDeclaration.EventTime.spec))."
      }
      heading(
        .input, input.name, outline.pointer + JSONPointer(["inputs", input.name]),
        (["Fed by the host" + (input.type == "dyn" ? "." : ": \(input.type).")]
          + [initial, waiting, time].compactMap(\.self))
          .joined(separator: " "), depth)
    }
    for (name, feeder) in outline.bindings.sorted(by: { $0.key < $1.key }) {
      heading(.input, name, outline.pointer, "Fed by \(feeder).", depth)
    }
    for stream in outline.streams {
      heading(.stream, stream.name ?? "", stream.pointer, "", depth)
      add(stream, depth: depth + 1)
    }
    for output in outline.outputs {
      heading(
        .output, output.name, output.pointer, output.description ?? "", depth, record.entries[output.pointer]?.output)
      add(output.stream, depth: depth + 1)
    }
    for (place, step) in outline.steps.enumerated() {
      add(step, equalTimes.sentence(about: step, after: outline.steps.prefix(place)), depth: depth)
    }
  }

  private mutating func heading(
    _ kind: StreamExplanation.Part.Kind, _ name: String, _ pointer: JSONPointer, _ text: String, _ depth: Int,
    _ type: CELType? = nil
  ) {
    parts.append(
      StreamExplanation.Part(
        kind: kind, depth: depth, name: name, label: nil, pointer: pointer, text: text, input: nil, output: type,
        memory: nil, expressions: []))
  }

  private mutating func add(_ step: StreamOutline.Step, _ order: String?, depth: Int) {
    // The operator's own description covers the streams it feeds.
    if step.kind == .fed { return }
    let entry = record.entries[step.pointer]
    parts.append(
      StreamExplanation.Part(
        kind: step.kind == .operator ? .operator : .source, depth: depth, name: Self.name(of: step), label: step.label,
        pointer: step.pointer, text: Self.text(of: step) + (order ?? ""), input: entry?.input, output: entry?.output,
        memory: Self.memory(of: step),
        expressions: (entry?.planned ?? []).map {
          StreamExplanation.CostedExpression(
            field: $0.field, text: $0.expression, type: $0.plan.resultType, cost: $0.plan.cost)
        }))
    for branch in step.branches {
      guard case .outline(let outline) = branch.content else { continue }
      if branch.relation == .applied {
        add(outline, depth: depth + 1)
        continue
      }
      heading(.field, branch.field, outline.pointer, Self.text(of: branch, of: step), depth + 1)
      add(outline, depth: depth + 2)
    }
  }

  // MARK: Words

  private static func name(of step: StreamOutline.Step) -> String {
    switch step.kind {
    case .input: "input \(step.name)" + (step.detail.isEmpty ? "" : ", \(step.detail)")
    case .reference: "stream \(step.name)"
    case .file: "file \(step.name)"
    case .fed, .source, .operator: step.name
    }
  }

  /// Returns the summary, followed by the values of the fields.
  private static func text(of step: StreamOutline.Step) -> String {
    switch step.kind {
    case .input where !step.detail.isEmpty:
      return "Publishes the values of the input \(step.name) that arrive too late."
    case .input: return "Publishes the values that the host feeds to the input \(step.name)."
    case .reference: return "Publishes the values of the stream \(step.name), through a separate subscription."
    case .file:
      let part = step.detail.isEmpty ? "stream" : step.detail
      return "Publishes the values of the \(part) in the file \(step.name), through a separate subscription."
    case .fed: return ""
    case .source, .operator: break
    }
    if let summary = step.summary {
      let set = FieldText.parts(step.fields, nil, step.references).map { "\($0.name) is \($0.text)" }
      return summary + (set.isEmpty ? "" : " Here \(joined(set)).")
    }
    guard let spec = step.definition?.spec else {
      guard step.branches.isEmpty else { return "Publishes items, each after the end of the previous one." }
      if case .list(let values) = step.fields {
        return "Publishes \(values.count.counted("item")): \(step.detail)."
      }
      return step.kind == .source ? "Publishes the item \(step.detail)." : step.detail
    }
    let set = FieldText.parts(step.fields, spec, step.references).map {
      "\($0.name) is \($0.isExpression ? "`\($0.text)`" : $0.text)"
    }
    let names = named(step.branches)
    let clauses = set + names
    return spec.summary + (clauses.isEmpty ? "" : " Here \(joined(clauses)).") + defaults(of: step, spec)
      + (work(of: step, spec).map { " \($0)" } ?? "")
  }

  /// The time complexity, if a value may take more than constant time.
  private static func work(of step: StreamOutline.Step, _ spec: OperatorSpec) -> String? {
    if let definition = step.definition as? any VariableWork { return definition.work }
    return spec.work
  }

  /// The fields that name streams.
  private static func named(_ branches: [StreamOutline.Branch]) -> [String] {
    var fields: [(name: String, streams: [String])] = []
    for branch in branches {
      guard case .name(let name) = branch.content, let field = branch.field.split(separator: "/").first else {
        continue
      }
      if fields.last?.name == String(field) {
        fields[fields.count - 1].streams.append(name)
      } else {
        fields.append((String(field), [name]))
      }
    }
    return fields.map { "\($0.name) is \($0.streams.joined(separator: " and "))" }
  }

  /// Returns a description of the defaults of absent fields.
  private static func defaults(of step: StreamOutline.Step, _ spec: OperatorSpec) -> String {
    guard case .map(let map) = step.fields else { return "" }
    let left = spec.fields.compactMap { field -> String? in
      guard map[field.name] == nil, let value = spec.standardValue(of: field, among: map) else { return nil }
      return "\(field.name) is \(JSONWriter.compact(value))"
    }
    return left.isEmpty ? "" : " By default \(joined(left))."
  }

  private static func text(of branch: StreamOutline.Branch, of step: StreamOutline.Step) -> String {
    switch branch.relation {
    case .joined: "Subscribed to together with the upstream."
    case .started: "Started by \(step.name)."
    case .fed: "Fed by \(step.name)."
    case .part: "An item."
    case .applied: ""
    }
  }

  private static func joined(_ clauses: [String]) -> String {
    guard clauses.count > 1, let last = clauses.last else { return clauses.first ?? "" }
    return clauses.dropLast().joined(separator: ", ") + " and " + last
  }

  // MARK: Memory

  private static func memory(of step: StreamOutline.Step) -> StreamExplanation.Memory? {
    guard step.kind == .operator || step.kind == .source, let spec = step.definition?.spec else { return nil }
    switch spec.memory {
    case .bounded(let what, let fields):
      let found = fields.compactMap { field in number(field, of: step, spec).map { (field, $0) } }.first
      return .init(what: what, bound: found?.1, field: found?.0, isGrowing: false)
    case .growing(let what): return .init(what: what, bound: nil, field: nil, isGrowing: true)
    case .nothing, .constant: return .init(what: spec.memory.what, bound: nil, field: nil, isGrowing: false)
    }
  }

  /// Returns the number in a field, or its default.
  private static func number(_ name: String, of step: StreamOutline.Step, _ spec: OperatorSpec) -> Int? {
    if case .int(let number)? = step.fields.member(name) { return Int(exactly: number) }
    if case .value(.int(let number))? = spec.fields.first(where: { $0.name == name })?.defaultValue {
      return Int(exactly: number)
    }
    return nil
  }
}

extension Pipeline.Input.WhenFull {
  /// The handling of a value when the buffer is full.
  fileprivate var consequence: String {
    switch self {
    case .dropOldest: "the oldest value is dropped"
    case .dropNewest: "the newest value is dropped"
    case .fail: "the stream fails"
    }
  }
}
