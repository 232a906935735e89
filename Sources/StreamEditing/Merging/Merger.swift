internal import StreamCore
internal import StreamKit

/// A merged part of a file for each side that can win its conflicts; nil where the part is missing. Both versions are
/// equal if the part has no conflict.
struct MergedPart {
  var ours: Value?
  var theirs: Value?

  init(ours: Value?, theirs: Value?) {
    self.ours = ours
    self.theirs = theirs
  }

  /// A part without conflicts.
  init(_ value: Value?) { self.init(ours: value, theirs: value) }
}

/// Merges values, from the outside to the inside; nil represents a missing value.
///
/// One pass computes both results, favoring ours and favoring theirs, so that the marks of the conflicts lead from the
/// first to the second. The invariant at every level: resolving each mark in the result for ours in favor of theirs
/// gives the result for theirs.
struct Merger {
  private let base: Value
  private let ours: Value
  private let theirs: Value
  private(set) var conflicts: [StreamMerge.Conflict] = []

  init(_ base: Value, _ ours: Value, _ theirs: Value) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }

  /// The merged file.
  mutating func merge() -> MergedPart {
    let parts = [base, ours, theirs].map { StreamPart(value: $0, pointer: JSONPointer()) }
    return merge(parts[0], parts[1], parts[2], role: .model)
  }

  mutating func merge(
    _ base: StreamPart?, _ ours: StreamPart?, _ theirs: StreamPart?, role: StreamRole
  ) -> MergedPart {
    if ours?.value == theirs?.value || base?.value == theirs?.value { return MergedPart(ours?.value) }
    if base?.value == ours?.value { return MergedPart(theirs?.value) }
    // A different spelling is not a change.
    if role.isSame(ours?.value, theirs?.value) || role.isSame(base?.value, theirs?.value) {
      return MergedPart(ours?.value)
    }
    if role.isSame(base?.value, ours?.value) { return MergedPart(theirs?.value) }
    // A missing container counts as an empty one.
    let parts = role.isContainer ? role.filled([base, ours, theirs]) : [base, ours, theirs]
    let before = conflicts.count
    if let base = parts[0], let ours = parts[1], let theirs = parts[2],
      let merged = mergeInside(base, ours, theirs, role: role)
    {
      // An empty container is kept where the other side's version of a conflict belongs into it.
      let isGone = role.isContainer && merged.ours?.isEmptyContainer == true && conflicts.count == before
      return isGone ? MergedPart(nil) : merged
    }
    // If the value can only be merged as a whole, so can the conflict.
    dropConflicts(since: before)
    return conflict(Self.words(base, ours, theirs, role), base, ours, theirs)
  }

  /// Notes a conflict of a whole part: each side's outcome is its own version.
  mutating func conflict(
    _ message: String, _ base: StreamPart?, _ ours: StreamPart?, _ theirs: StreamPart?
  ) -> MergedPart {
    func version(_ part: StreamPart?) -> StreamMerge.Conflict.Version? {
      part.map { StreamMerge.Conflict.Version(pointer: $0.pointer, value: $0.value) }
    }
    let places = [(ours, self.ours), (base, self.base), (theirs, self.theirs)].lazy
    let place = places.compactMap { part, file in part.map { StreamPlace.words($0.pointer, in: file) } }.first
    let message = (place.map { "\($0): " } ?? "") + message
    conflicts.append(
      StreamMerge.Conflict(
        message: message, base: version(base), ours: version(ours), theirs: version(theirs),
        mark: StreamModel.ConflictMark(
          at: JSONPointer(), message, base: base?.value, ours: ours?.value, theirs: theirs?.value)))
    return MergedPart(ours: ours?.value, theirs: theirs?.value)
  }

  /// Removes the conflicts noted after the first `count`, because a conflict around them replaces them.
  mutating func dropConflicts(since count: Int) { conflicts.removeLast(conflicts.count - count) }

  /// Reorders the conflicts noted after the first `count`.
  ///
  /// - Parameter order: Ranges of their numbers, each with a token to prepend to the locations of its marks.
  mutating func arrangeConflicts(since count: Int, _ order: [(numbers: Range<Int>, token: String)]) {
    let arranged = order.flatMap { numbers, token in
      conflicts[numbers].map { conflict in
        var conflict = conflict
        conflict.mark.place.tokens.insert(token, at: 0)
        return conflict
      }
    }
    conflicts.replaceSubrange(count..., with: arranged)
  }

  /// Changes the marks of the conflicts noted after the first `count`.
  mutating func changeMarks(since count: Int, _ change: (inout StreamModel.ConflictMark) -> Void) {
    for index in conflicts.indices.dropFirst(count) { change(&conflicts[index].mark) }
  }

  /// Prepends a token to the locations of the conflicts noted after the first `count`: those of a member.
  private mutating func prefixMarks(since count: Int, by token: String) {
    changeMarks(since: count) { $0.place.tokens.insert(token, at: 0) }
  }

  /// Merges three objects or arrays by their contents; nil if they must be merged as a whole.
  private mutating func mergeInside(
    _ base: StreamPart, _ ours: StreamPart, _ theirs: StreamPart, role: StreamRole
  ) -> MergedPart? {
    if case .unit = role { return nil }
    switch (base.value, ours.value, theirs.value) {
    case (.map, .map, .map): return mergeMembers(base, ours, theirs, role: role)
    case (.list(let before), .list(let first), .list(let second)):
      if case .requirements = role { return MergedPart(.list(Self.mergeSets(before, first, second))) }
      return role.hasElements ? mergeElements(base, ours, theirs, role: role) : nil
    default: return nil
    }
  }

  private mutating func mergeMembers(
    _ base: StreamPart, _ ours: StreamPart, _ theirs: StreamPart, role: StreamRole
  ) -> MergedPart? {
    let start = conflicts.count
    // The name of a kind and the value under it belong together: an operator has only one.
    let kinds = [base, ours, theirs].map { role.kind(of: $0.value) }
    let isOneKind = kinds[0] == kinds[1] && kinds[1] == kinds[2]
    var kind: (ours: ValueMap, theirs: ValueMap)?
    if !isOneKind {
      let units = zip([base, ours, theirs], kinds).map { part, kind in
        kind.flatMap { kind in
          part.member(kind).map { StreamPart(value: .map(ValueMap([(.string(kind), $0.value)])), pointer: $0.pointer) }
        }
      }
      let unit = merge(units[0], units[1], units[2], role: .unit)
      changeMarks(since: start) { $0.isOfMembers = true }
      guard case .map(let first)? = unit.ours, case .map(let second)? = unit.theirs else { return nil }
      kind = (first, second)
    }
    var members: (ours: [(Value, Value)], theirs: [(Value, Value)]) = ([], [])
    func add(_ name: String, _ merged: MergedPart) {
      if let value = merged.ours { members.ours.append((.string(name), value)) }
      if let value = merged.theirs { members.theirs.append((.string(name), value)) }
    }
    var names = ours.members.map(\.name)
    names += theirs.members.map(\.name).filter { ours.member($0) == nil }
    let before = conflicts.count
    for name in names {
      if let kind, role.isKind(name) {
        add(name, MergedPart(ours: kind.ours[.string(name)], theirs: kind.theirs[.string(name)]))
        continue
      }
      let noted = conflicts.count
      let merged = merge(base.member(name), ours.member(name), theirs.member(name), role: role.member(name))
      prefixMarks(since: noted, by: name)
      add(name, merged)
    }
    let first = Value.map(ValueMap(members.ours))
    let result =
      conflicts.count == start ? MergedPart(first) : MergedPart(ours: first, theirs: .map(ValueMap(members.theirs)))
    if case .placedOperator = role, conflicts.count == before, Self.goTogether(ours.value, theirs.value),
      !(conflicts.count == start ? Self.goTogether(first) : Self.goTogether(first, result.theirs))
    {
      dropConflicts(since: start)
      return conflict("the operator's fields are no longer compatible", base, ours, theirs)
    }
    return result
  }

  /// Whether operators can be read.
  private static func goTogether(_ operators: Value?...) -> Bool {
    operators.allSatisfy { $0.map { PlacedOperator.read($0).1.isEmpty } ?? true }
  }

  /// Merges arrays whose order has no meaning: the additions and removals of both sides.
  private static func mergeSets(_ base: ValueList, _ ours: ValueList, _ theirs: ValueList) -> [Value] {
    let (old, first, second) = (Set(base), Set(ours), Set(theirs))
    return ours.filter { second.contains($0) || !old.contains($0) }
      + theirs.filter { !first.contains($0) && !old.contains($0) }
  }

  private static func words(
    _ base: StreamPart?, _ ours: StreamPart?, _ theirs: StreamPart?, _ role: StreamRole
  ) -> String {
    switch (base, ours, theirs) {
    case (_, nil, _): "ours has removed a value that theirs has changed"
    case (_, _, nil): "theirs has removed a value that ours has changed"
    case (nil, _, _): "both sides have added it with different values"
    default: "both sides have changed it to different values"
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
    case .names, .operators, .tests, .requirements: true
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

  /// Returns the three versions of a container, with an empty one if it is missing.
  func filled(_ parts: [StreamPart?]) -> [StreamPart?] {
    let pointer = parts.compactMap(\.?.pointer).first ?? JSONPointer()
    let isList =
      switch self {
      case .names: false
      default: true
      }
    let empty = StreamPart(value: isList ? .list([]) : .map(ValueMap()), pointer: pointer)
    return parts.map { $0 ?? empty }
  }
}
