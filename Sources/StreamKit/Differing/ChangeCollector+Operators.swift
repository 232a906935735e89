internal import StreamCore

/// Operators, and the streams that they take.
extension ChangeCollector {
  mutating func compareOperators(_ old: StreamPart?, _ new: StreamPart?) {
    compareLists(
      old, new, role: .operators, subject: .placedOperator, name: Self.name(ofOperator:),
      removing: ChangeRules.effect(ofRemoving:), moving: ChangeRules.effect(ofMoving:)
    ) { collector, old, new in collector.compareOperator(old, new) }
  }

  private static func name(ofOperator value: Value) -> String { StreamRole.placedOperator.kind(of: value) ?? "" }

  private mutating func compareOperator(_ old: StreamPart, _ new: StreamPart) {
    let (before, after) = (ChangeRules.Stored(old.value), ChangeRules.Stored(new.value))
    let names = Self.names(old, new).filter { !StreamRole.placedOperator.isKind($0) }
    var fields = names.compactMap { name in
      Self.field(name, old, new) { ChangeRules.effect(besideOperator: name, of: before) }
    }
    guard before.name == after.name, let oldFields = old.member(before.name), let newFields = new.member(after.name)
    else {
      fields.insert(
        StreamChange.Field(
          name: "operator", old: old.value.member(before.name).map { .map(ValueMap([(.string(before.name), $0)])) },
          new: new.value.member(after.name).map { .map(ValueMap([(.string(after.name), $0)])) },
          effect: ChangeRules.effect(ofRemoving: old.value)), at: 0)
      return addChange(of: fields, .placedOperator, after.name, old, new)
    }
    let role = StreamRole.placedOperator.member(before.name)
    let ofOperator = Self.names(oldFields, newFields).filter { !role.member($0).isNested }
      .compactMap { name in
        Self.field(name, oldFields, newFields) { ChangeRules.effect(ofField: name, before, after) }
      }
    addChange(of: ofOperator + fields, .placedOperator, before.name, old, new)
    compareNested(
      oldFields, newFields, role: role, other: ChangeRules.effect(ofOtherStreamIn: before))
  }

  /// Compares the streams and arrays of operators in the fields of an operator or a source.
  ///
  /// - Parameter other: The effect of a replaced stream.
  mutating func compareNested(_ old: StreamPart, _ new: StreamPart, role: StreamRole, other: StreamChange.Effect) {
    for name in Self.names(old, new) where role.member(name).isNested {
      let (before, after) = (old.member(name), new.member(name))
      switch role.member(name) {
      case .operators: compareOperators(before, after)
      case .references:
        compareLists(
          before, after, role: .references, subject: .streamReference, name: { $0.text ?? "" },
          removing: { _ in other }, moving: { _ in other }, adding: other
        ) { collector, old, new in collector.compareReference(old, new, other: other) }
      default: compareReference(before, after, other: other)
      }
    }
  }

  /// Compares a stream in a field: a name, or a model in place.
  mutating func compareReference(_ old: StreamPart?, _ new: StreamPart?, other: StreamChange.Effect) {
    if old?.value == new?.value { return }
    switch (old, new) {
    case (let old?, let new?):
      if case .map = old.value, case .map = new.value { return compareModels(old, new) }
      let field = StreamChange.Field(name: "stream", old: old.value, new: new.value, effect: other)
      addChange(of: [field], .streamReference, new.value.text ?? "", old, new)
    case (let old?, nil): add(.removed, .streamReference, old.value.text ?? "", old, nil, other)
    case (nil, let new?): add(.added, .streamReference, new.value.text ?? "", nil, new, other)
    case (nil, nil): break
    }
  }

  // MARK: Sources

  mutating func compareSources(_ old: StreamPart, _ new: StreamPart) {
    switch (old.member("stream"), new.member("stream"), old.member("source"), new.member("source")) {
    case (let before?, let after?, _, _): compareItems(before, after)
    case (_, _, let before?, let after?): compareSource(before, after)
    default: replaceSource(old.member("stream") ?? old.member("source"), new.member("stream") ?? new.member("source"))
    }
  }

  private mutating func compareItems(_ old: StreamPart, _ new: StreamPart) {
    compareLists(
      old, new, role: .items, subject: .item, name: { _ in "" }, removing: ChangeRules.effect(ofRemovingStream:),
      moving: ChangeRules.effect(ofRemovingStream:)
    ) { collector, old, new in
      collector.compareMembers(of: old, new, subject: .item, name: "") { name in
        name == "operators" ? nil : name == "value" ? .structure : .noBehavior
      }
      collector.compareOperators(old.member("operators"), new.member("operators"))
    }
  }

  private mutating func compareSource(_ old: StreamPart, _ new: StreamPart) {
    if old.value == new.value { return }
    guard let name = StreamRole.source.kind(of: old.value), name == StreamRole.source.kind(of: new.value),
      let before = old.member(name), let after = new.member(name)
    else { return replaceSource(old, new) }
    compareMembers(of: old, new, subject: .source, name: name) { $0.hasPrefix("x-") ? .noBehavior : nil }
    let role = StreamRole.source.member(name)
    let fields = Self.names(before, after).filter { !role.member($0).isNested }.compactMap { field in
      Self.field(field, before, after) {
        ChangeRules.effect(ofSourceField: field, from: old.value, to: new.value)
      }
    }
    addChange(of: fields, .source, name, old, new)
    compareNested(before, after, role: role, other: .structure)
  }

  private mutating func replaceSource(_ old: StreamPart?, _ new: StreamPart?) {
    guard let old, let new else {
      // The other version has outputs.
      for (kind, part) in [(StreamChange.Kind.removed, old), (.added, new)] {
        guard let part else { continue }
        let name = part.pointer.tokens.last == "stream" ? "stream" : StreamRole.source.kind(of: part.value) ?? ""
        add(kind, .source, name, kind == .removed ? part : nil, kind == .added ? part : nil, .structure)
      }
      return
    }
    let name = new.pointer.tokens.last == "stream" ? "stream" : StreamRole.source.kind(of: new.value) ?? ""
    let field = StreamChange.Field(name: "source", old: old.value, new: new.value, effect: .structure)
    addChange(of: [field], .source, name, old, new)
  }

  // MARK: Fields

  /// The names of the members of both, in order.
  static func names(_ old: StreamPart, _ new: StreamPart) -> [String] {
    old.members.map(\.name) + new.members.map(\.name).filter { old.member($0) == nil }
  }

  private static func field(
    _ name: String, _ old: StreamPart, _ new: StreamPart, _ effect: () -> StreamChange.Effect
  ) -> StreamChange.Field? {
    let (before, after) = (old.value.member(name), new.value.member(name))
    guard before != after else { return nil }
    return StreamChange.Field(name: name, old: before, new: after, effect: effect())
  }
}
