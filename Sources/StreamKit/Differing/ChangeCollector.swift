package import StreamCore

/// A part of a file and where it stands.
package struct StreamPart {
  package let value: Value
  package let pointer: JSONPointer

  package init(value: Value, pointer: JSONPointer) {
    self.value = value
    self.pointer = pointer
  }

  /// A member, or nil where there is none.
  package func member(_ name: String) -> StreamPart? {
    value.member(name).map { StreamPart(value: $0, pointer: pointer.appending(name)) }
  }

  /// The elements of a list; of anything else none.
  package var elements: [StreamPart] {
    guard case .list(let items) = value else { return [] }
    return items.enumerated().map { StreamPart(value: $1, pointer: pointer.appending($0)) }
  }

  /// The members of an object; of anything else none.
  package var members: [(name: String, part: StreamPart)] {
    guard case .map(let map) = value else { return [] }
    return map.pairs.compactMap { key, value in
      key.text.map { ($0, StreamPart(value: value, pointer: pointer.appending($0))) }
    }
  }
}

/// Collects the differences between two stream files, from the outside to the inside.
package struct ChangeCollector {
  package private(set) var changes: [StreamChange] = []
  /// The matched and the new elements of the arrays and named objects compared so far.
  private(set) var matching = PlaceMatching()

  package init() {}

  package mutating func compareModels(_ old: StreamPart, _ new: StreamPart) {
    if old.value == new.value { return }
    compareMembers(of: old, new, subject: .stream, name: old.value.member("name")?.text ?? "") { name in
      if case .plain = StreamRole.model.member(name) { return ChangeRules.effect(ofMember: name) }
      return name == "requires" ? ChangeRules.effect(ofMember: name) : nil
    }
    compareParameters(old, new)
    compareNamed("types", old, new, subject: .type, removal: { _ in .structure }) { collector, name, old, new in
      collector.compareWhole(old, new, subject: .type, name: name, .structure)
    }
    compareNamed(
      "definitions", old, new, subject: .definition, removal: ChangeRules.effect(ofRemovingStream:)
    ) { collector, name, old, new in
      if old.value == new.value { return }
      collector.compareMembers(of: old, new, subject: .definition, name: name) { member in
        if case .plain = StreamRole.definition.member(member) { .noBehavior } else { nil }
      }
      collector.compareParameters(old, new)
      collector.compareOperators(old.member("operators"), new.member("operators"))
      collector.compareTests(old.member("tests"), new.member("tests"))
    }
    compareNamed("inputs", old, new, subject: .input, removal: { _ in .structure }) { collector, name, old, new in
      collector.compareMembers(of: old, new, subject: .input, name: name) { member in
        ChangeRules.effect(ofInputMember: member, from: old.value, to: new.value)
      }
    }
    compareNamed(
      "streams", old, new, subject: .namedStream, removal: ChangeRules.effect(ofRemovingStream:)
    ) { collector, _, old, new in collector.compareModels(old, new) }
    compareSources(old, new)
    comparePartitions(old, new)
    compareOperators(old.member("operators"), new.member("operators"))
    compareNamed(
      "outputs", old, new, subject: .output, removal: ChangeRules.effect(ofRemovingOutput:)
    ) { collector, name, old, new in
      collector.compareMembers(of: old, new, subject: .output, name: name) { $0 == "stream" ? nil : .noBehavior }
      collector.compareReference(old.member("stream"), new.member("stream"), other: .structure)
    }
    compareTests(old.member("tests"), new.member("tests"))
  }

  /// Adds a change of a part that is in both files.
  mutating func add(
    _ kind: StreamChange.Kind, _ subject: StreamChange.Subject, _ name: String, _ old: StreamPart?,
    _ new: StreamPart?, fields: [StreamChange.Field] = [], _ effect: StreamChange.Effect
  ) {
    changes.append(
      StreamChange(
        kind: kind, subject: subject, name: name, oldPointer: old?.pointer, newPointer: new?.pointer,
        oldValue: old?.value, newValue: new?.value, fields: fields, effect: effect))
  }

  /// Records the members that differ.
  ///
  /// - Parameter effect: The effect of a changed member; nil if another method compares it.
  mutating func compareMembers(
    of old: StreamPart, _ new: StreamPart, subject: StreamChange.Subject, name: String,
    _ effect: (String) -> StreamChange.Effect?
  ) {
    var names = old.members.map(\.name)
    names += new.members.map(\.name).filter { old.member($0) == nil }
    let fields = names.compactMap { name -> StreamChange.Field? in
      let (before, after) = (old.value.member(name), new.value.member(name))
      guard before != after, let effect = effect(name) else { return nil }
      return StreamChange.Field(name: name, old: before, new: after, effect: effect)
    }
    addChange(of: fields, subject, name, old, new)
  }

  /// Adds a change if fields differ.
  mutating func addChange(
    of fields: [StreamChange.Field], _ subject: StreamChange.Subject, _ name: String, _ old: StreamPart,
    _ new: StreamPart
  ) {
    guard let effect = fields.map(\.effect).max() else { return }
    add(.changed, subject, name, old, new, fields: fields, effect)
  }

  /// Compares objects of names: an element with a new name and the same contents has moved.
  private mutating func compareNamed(
    _ key: String, _ old: StreamPart, _ new: StreamPart, subject: StreamChange.Subject,
    removal: (Value) -> StreamChange.Effect,
    _ compare: (inout ChangeCollector, String, StreamPart, StreamPart) -> Void
  ) {
    let before = old.member(key)
    let after = new.member(key)
    var fresh = (after?.members ?? []).filter { before?.member($0.name) == nil }
    for (name, part) in before?.members ?? [] {
      if let next = after?.member(name) {
        compare(&self, name, part, next)
      } else if let place = fresh.firstIndex(where: { $0.part.value == part.value && part.value != .map(ValueMap()) }) {
        let next = fresh.remove(at: place).part
        matching.match(part.pointer, next.pointer)
        add(.moved, subject, name, part, next, removal(part.value))
      } else {
        matching.remove(part.pointer)
        add(.removed, subject, name, part, nil, removal(part.value))
      }
    }
    for (name, part) in fresh {
      matching.add(part.pointer)
      add(.added, subject, name, nil, part, .structure)
    }
  }

  private mutating func compareParameters(_ old: StreamPart, _ new: StreamPart) {
    compareNamed(
      "parameters", old, new, subject: .parameter, removal: { _ in .structure }
    ) { collector, name, old, new in
      collector.compareMembers(of: old, new, subject: .parameter, name: name) { member in
        member == "description" || member.hasPrefix("x-") ? .noBehavior : .structure
      }
    }
  }

  /// Records a part that is compared as a whole.
  private mutating func compareWhole(
    _ old: StreamPart, _ new: StreamPart, subject: StreamChange.Subject, name: String, _ effect: StreamChange.Effect
  ) {
    guard old.value != new.value else { return }
    addChange(
      of: [StreamChange.Field(name: "type", old: old.value, new: new.value, effect: effect)], subject, name, old, new)
  }

  /// Another key, or none, means other executions.
  private mutating func comparePartitions(_ old: StreamPart, _ new: StreamPart) {
    guard let before = old.member("partition"), let after = new.member("partition") else {
      return compareMembers(of: old, new, subject: .stream, name: old.value.member("name")?.text ?? "") {
        $0 == "partition" ? .stateLost : nil
      }
    }
    compareMembers(of: before, after, subject: .stream, name: "partition") { name in
      let role = StreamRole.partition.member(name)
      if role.isNested { return nil }
      if role.isSame(before.value.member(name), after.value.member(name)) { return .noBehavior }
      return ChangeRules.effect(ofPartitionMember: name)
    }
    compareOperators(before.member("then"), after.member("then"))
  }

  private mutating func compareTests(_ old: StreamPart?, _ new: StreamPart?) {
    compareLists(
      old, new, role: .tests, subject: .test, name: { $0.member("name")?.text ?? "" }, removing: { _ in .noBehavior },
      moving: { _ in .noBehavior }, adding: .noBehavior
    ) { collector, old, new in
      let name = new.value.member("name")?.text ?? ""
      collector.compareMembers(of: old, new, subject: .test, name: name) { _ in .noBehavior }
    }
  }

  /// Compares lists element by element; a list that is not there is an empty one.
  mutating func compareLists(
    _ old: StreamPart?, _ new: StreamPart?, role: StreamRole, subject: StreamChange.Subject,
    name: (Value) -> String, removing: (Value) -> StreamChange.Effect, moving: (Value) -> StreamChange.Effect,
    adding: StreamChange.Effect = .structure, comparing: (inout ChangeCollector, StreamPart, StreamPart) -> Void
  ) {
    let (before, after) = (old?.elements ?? [], new?.elements ?? [])
    let alignment = ListAlignment(before.map(\.value), after.map(\.value), role: role)
    for place in alignment.removed {
      let part = before[place]
      matching.remove(part.pointer)
      add(.removed, subject, name(part.value), part, nil, removing(part.value))
    }
    let partners = alignment.oldPlaces
    for (place, part) in after.enumerated() {
      guard let partner = partners[place] else {
        matching.add(part.pointer)
        add(.added, subject, name(part.value), nil, part, adding)
        continue
      }
      matching.match(before[partner].pointer, part.pointer)
      if alignment.moved.contains(place) {
        add(.moved, subject, name(part.value), before[partner], part, moving(before[partner].value))
      }
      if before[partner].value != part.value { comparing(&self, before[partner], part) }
    }
  }
}
