internal import StreamCore

/// Merges values, from the outside to the inside; nil stands for what is not there.
struct Merger {
  private let base: Value
  private let ours: Value
  private let theirs: Value
  let favoured: StreamMerge.Side
  private(set) var conflicts: [StreamMerge.Conflict] = []

  init(_ base: Value, _ ours: Value, _ theirs: Value, favoured: StreamMerge.Side) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
    self.favoured = favoured
  }

  /// The merged file.
  mutating func merge() -> Value {
    let parts = [base, ours, theirs].map { StreamPart(value: $0, pointer: JSONPointer()) }
    return merge(parts[0], parts[1], parts[2], role: .model) ?? ours
  }

  mutating func merge(_ base: StreamPart?, _ ours: StreamPart?, _ theirs: StreamPart?, role: StreamRole) -> Value? {
    if ours?.value == theirs?.value || base?.value == theirs?.value { return ours?.value }
    if base?.value == ours?.value { return theirs?.value }
    // Who only writes it otherwise has not changed it.
    if role.isSame(ours?.value, theirs?.value) || role.isSame(base?.value, theirs?.value) { return ours?.value }
    if role.isSame(base?.value, ours?.value) { return theirs?.value }
    // What is a place for other things alone is empty where it is not there.
    let parts = role.isContainer ? role.filled([base, ours, theirs]) : [base, ours, theirs]
    let before = conflicts.count
    if let base = parts[0], let ours = parts[1], let theirs = parts[2],
      let merged = mergeInside(base, ours, theirs, role: role)
    {
      // An empty container is kept where the other side's version of a conflict belongs into it.
      return role.isContainer && merged.isEmptyContainer && conflicts.count == before ? nil : merged
    }
    // Where it can only be one thing as a whole, so can the conflict.
    conflicts.removeLast(conflicts.count - before)
    return conflict(Self.words(base, ours, theirs, role), base, ours, theirs)
  }

  /// Notes a conflict; gives what the favoured side has.
  mutating func conflict(
    _ message: String, _ base: StreamPart?, _ ours: StreamPart?, _ theirs: StreamPart?
  ) -> Value? {
    func version(_ part: StreamPart?) -> StreamMerge.Conflict.Version? {
      part.map { StreamMerge.Conflict.Version(pointer: $0.pointer, value: $0.value) }
    }
    let places = [(ours, self.ours), (base, self.base), (theirs, self.theirs)].lazy
    let place = places.compactMap { part, file in part.map { StreamPlace.words($0.pointer, in: file) } }.first
    let message = (place.map { "\($0): " } ?? "") + message
    conflicts.append(
      StreamMerge.Conflict(
        message: message, base: version(base), ours: version(ours), theirs: version(theirs),
        mark: ConflictMark(
          at: JSONPointer(), message, base: base?.value, ours: ours?.value, theirs: theirs?.value)))
    return favoured == .ours ? ours?.value : theirs?.value
  }

  /// Changes the marks of the conflicts that were noted since there were so many.
  mutating func changeMarks(since count: Int, _ change: (inout ConflictMark) -> Void) {
    for index in conflicts.indices.dropFirst(count) { change(&conflicts[index].mark) }
  }

  /// Puts a step before the places of the conflicts that were noted since there were so many: those of a member.
  private mutating func prefixMarks(since count: Int, by token: String) {
    changeMarks(since: count) { $0.place.tokens.insert(token, at: 0) }
  }

  /// Puts a step before the place of one conflict.
  mutating func prefixMark(_ number: Int, by token: String) { conflicts[number].mark.place.tokens.insert(token, at: 0) }

  /// Merges three objects or lists by what is in them; nil if they are one thing, of which only one version can be.
  private mutating func mergeInside(
    _ base: StreamPart, _ ours: StreamPart, _ theirs: StreamPart, role: StreamRole
  ) -> Value? {
    if case .unit = role { return nil }
    switch (base.value, ours.value, theirs.value) {
    case (.map, .map, .map): return mergeMembers(base, ours, theirs, role: role)
    case (.list(let before), .list(let first), .list(let second)):
      if case .requirements = role { return .list(Self.mergeSets(before, first, second)) }
      return role.hasElements ? .list(mergeElements(base, ours, theirs, role: role)) : nil
    default: return nil
    }
  }

  private mutating func mergeMembers(
    _ base: StreamPart, _ ours: StreamPart, _ theirs: StreamPart, role: StreamRole
  ) -> Value? {
    let parts = [base, ours, theirs]
    // What kind of thing it is belongs to what stands under that name: there can be only one.
    let kinds = parts.map { role.kind(of: $0.value) }
    let isOneKind = kinds[0] == kinds[1] && kinds[1] == kinds[2]
    var kindMember: (name: String, value: Value)?
    if !isOneKind {
      let units = zip(parts, kinds).map { part, kind in
        kind.flatMap { kind in
          part.member(kind).map { StreamPart(value: .map(ValueMap([(.string(kind), $0.value)])), pointer: $0.pointer) }
        }
      }
      let before = conflicts.count
      let unit = merge(units[0], units[1], units[2], role: .unit)
      changeMarks(since: before) { $0.isOfMembers = true }
      guard case .map(let unit)? = unit,
        let name = unit.keys.first?.text, let value = unit.slots.first
      else { return nil }
      kindMember = (name, value)
    }
    var members: [(Value, Value)] = []
    var names = ours.members.map(\.name)
    names += theirs.members.map(\.name).filter { ours.member($0) == nil }
    let before = conflicts.count
    for name in names {
      if !isOneKind, role.isKind(name) {
        if name == kindMember?.name, let value = kindMember?.value { members.append((.string(name), value)) }
        continue
      }
      let noted = conflicts.count
      let merged = merge(base.member(name), ours.member(name), theirs.member(name), role: role.member(name))
      prefixMarks(since: noted, by: name)
      if let merged { members.append((.string(name), merged)) }
    }
    let result = Value.map(ValueMap(members))
    if case .placedOperator = role, conflicts.count == before,
      !PlacedOperator.read(result).1.isEmpty, PlacedOperator.read(ours.value).1.isEmpty,
      PlacedOperator.read(theirs.value).1.isEmpty
    {
      return conflict("the operator's fields do not go together any more", base, ours, theirs)
    }
    return result
  }

  /// Lists whose order means nothing: what one side has added or taken away.
  private static func mergeSets(_ base: [Value], _ ours: [Value], _ theirs: [Value]) -> [Value] {
    ours.filter { theirs.contains($0) || !base.contains($0) }
      + theirs.filter { !ours.contains($0) && !base.contains($0) }
  }

  private static func words(
    _ base: StreamPart?, _ ours: StreamPart?, _ theirs: StreamPart?, _ role: StreamRole
  ) -> String {
    switch (base, ours, theirs) {
    case (_, nil, _): "ours has taken away what theirs has changed"
    case (_, _, nil): "theirs has taken away what ours has changed"
    case (nil, _, _): "both have added it, each in its own way"
    default: "both have changed it, each in its own way"
    }
  }
}

extension Value {
  /// Whether it is a list or an object with nothing in it.
  fileprivate var isEmptyContainer: Bool {
    switch self {
    case .list(let items): items.isEmpty
    case .map(let map): map.isEmpty
    default: false
    }
  }
}

extension StreamRole {
  /// Whether it only holds other things, so that none is as good as an empty one.
  var isContainer: Bool {
    switch self {
    case .inputs, .streams, .operators, .tests, .requirements: true
    default: false
    }
  }

  /// Whether it is a list whose elements are merged one by one.
  var hasElements: Bool {
    switch self {
    case .items, .operators, .references, .tests: true
    default: false
    }
  }

  /// The three versions of a container, an empty one where it is not there.
  func filled(_ parts: [StreamPart?]) -> [StreamPart?] {
    let pointer = parts.compactMap(\.?.pointer).first ?? JSONPointer()
    let isList =
      switch self {
      case .inputs, .streams: false
      default: true
      }
    let empty = StreamPart(value: isList ? .list([]) : .map(ValueMap()), pointer: pointer)
    return parts.map { $0 ?? empty }
  }
}
