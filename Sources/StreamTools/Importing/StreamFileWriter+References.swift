import StreamCore

// Determines the streams that an operation applies to. Since generation 2 its file does not contain them.

extension StreamFileWriter {
  /// A stream or an input of the file being written.
  struct Reference {
    var name: String
    var isInput: Bool
    var kind: ElementKind

    /// The reference as a source.
    var source: Value {
      isInput ? ["input": ["name": .string(name)]] : ["stream": ["name": .string(name)]]
    }
  }

  /// Returns the streams with these ids, or the first default streams; a missing one becomes an input.
  mutating func references(
    _ ids: [PlaygroundReference]?, count: Int, roles: [String], of model: PlaygroundModel
  ) -> [Reference] {
    var references: [Reference] = []
    for place in 0..<(ids?.count ?? count) {
      let id = ids.flatMap { $0.indices.contains(place) ? $0[place] : nil }
      let role = roles.indices.contains(place) ? roles[place] : "stream \(place + 1)"
      if let entry = id.map({ directory.entry(withID: $0.id) }) ?? directory.entry(at: place) {
        let (name, kind) = embed(entry)
        references.append(Reference(name: name, isInput: false, kind: kind))
        if id == nil { noteDefault(entry, at: place, of: model) }
      } else {
        let name = names.unique(role)
        inputs.append((.string(name), ["type": "string"]))
        references.append(Reference(name: name, isInput: true, kind: .texts))
        let reason =
          id.map { "the stream \($0.id) is not in this file" }
          ?? "the stream that this operation applies to is not in this file"
        note("\(reason); it became the input '\(name)'", at: id?.pointer ?? model.pointer)
      }
    }
    return references
  }

  private mutating func noteDefault(_ entry: StreamDirectory.Entry, at place: Int, of model: PlaygroundModel) {
    let ordinal = place == 0 ? "first" : "second"
    let kind = place < directory.defaultCount ? "default stream" : "stream"
    note("the file names no stream; the playground took the \(ordinal) \(kind), '\(entry.name)'", at: model.pointer)
  }

  mutating func note(_ message: String, at pointer: JSONPointer) {
    diagnostics.append(Diagnostic(.assumption, message, at: pointer, severity: .note))
  }
}

// MARK: - Several streams made one

extension StreamFileWriter {
  /// The source of a union; the operator that unites goes to the front of `operators`.
  mutating func united(
    _ union: PlaygroundUnion, _ ids: [PlaygroundReference]?, of model: PlaygroundModel, into operators: inout [Value]
  ) -> (source: Value, kind: ElementKind) {
    let roles = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(Unicode.Scalar($0)) }
    var used = ids
    if union.isJoin, let ids, ids.count > 2 {
      note("'\(union.rawValue)' took only the first two of the \(ids.count) streams", at: model.pointer)
      used = Array(ids.prefix(2))
    }
    let references = references(used, count: 2, roles: roles, of: model)
    guard let first = references.first, references.count > 1 || !union.isJoin else {
      return withoutEnough(union, of: model)
    }
    let others = references.dropFirst()
    let names = Value.list(others.map { .string($0.name) })
    switch union {
    case .flatMap:
      // Just("").flatMap { A }.flatMap { B }: of the streams before the last only the number of values counts.
      operators = others.map { ["flatMap": ["stream": .string($0.name)]] }
      return (first.source, references.last?.kind ?? first.kind)
    case .zip, .combineLatest:
      operators = [[.string(union.rawValue): ["with": names]]]
      return (first.source, .others)
    case .merge, .append:
      if !others.isEmpty { operators = [[.string(union.rawValue): ["with": names]]] }
      return (first.source, .joined(references.map(\.kind)))
    }
  }

  /// Returns the output of the playground for an operation with too few streams.
  private mutating func withoutEnough(
    _ union: PlaygroundUnion, of model: PlaygroundModel
  ) -> (source: Value, kind: ElementKind) {
    guard union == .flatMap else {
      streams = []
      inputs = []
      note("'\(union.rawValue)' has too few streams; the playground then published nothing", at: model.pointer)
      return (["empty": [:]], .numericTexts)
    }
    note("'flatMap' has no stream; the playground then published one empty string", at: model.pointer)
    return (["just": ["value": ""]], .texts)
  }
}
