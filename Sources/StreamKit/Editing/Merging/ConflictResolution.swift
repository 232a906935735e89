public import StreamCore

/// Resolves conflicts that a merge has marked in a file.
public struct ConflictResolution: Sendable {
  /// The file with what was picked, and without the marks of what is resolved.
  public private(set) var value: Value
  /// The conflicts that are left.
  public var left: [ConflictMark] { entries.map(\.mark) }
  private var entries: [Entry]
  /// How many conflicts were resolved.
  public let count: Int

  /// Resolves conflicts of a file.
  ///
  /// - Parameters:
  ///   - side: whose version is taken; nil for what stands in the file now, whoever has written it.
  ///   - place: only conflicts at this place or within it; nil for all.
  /// - Throws: `invalidPointer` where there is no such conflict; `patchFailed` where the file has changed since the
  ///   merge so that a version does not fit any more.
  public init(
    of file: Value, favoring side: StreamMerge.Side?, at place: JSONPointer? = nil
  ) throws(Diagnostics) {
    value = file
    let marks = try ConflictMark.all(in: file)
    entries = marks.map { mark in
      Entry(mark: mark, isChosen: place.map { mark.place.tokens.starts(with: $0.tokens) } ?? true)
    }
    count = entries.count { $0.isChosen }
    guard count > 0 else { throw Diagnostics([Self.noConflict(at: place, among: marks)]) }
    // From the last to the first: the order of a list comes before what is in conflict inside its elements.
    while let index = entries.lastIndex(where: \.isChosen) {
      let mark = entries.remove(at: index).mark
      guard let side else { continue }
      do throws(PatchProblem) {
        try take(side, of: mark, at: index)
      } catch {
        throw Diagnostics([
          Diagnostic(
            .patchFailed, "the conflict at '\(mark.place)' cannot be resolved: the file has changed since the merge",
            at: JSONPointer([ConflictMark.key]),
            help: "edit the file by hand, then resolve the conflict without --favor")
        ])
      }
    }
    guard case .map(let map) = value else { return }
    value = .map(
      left.isEmpty ? map.removing(ConflictMark.key) : map.setting(ConflictMark.key, .list(left.map(\.json))))
  }

  /// A mark, and whether it is to be resolved.
  private struct Entry: Sendable {
    var mark: ConflictMark
    let isChosen: Bool
  }

  private mutating func take(_ side: StreamMerge.Side, of mark: ConflictMark, at index: Int) throws(PatchProblem) {
    let wanted = side == .ours ? mark.ours : mark.theirs
    if mark.isOfMembers { return try replaceMembers(of: mark, by: wanted) }
    switch (mark.ours, wanted) {
    case (nil, nil): return
    case (nil, let wanted?):
      try value.insert(wanted, at: mark.place)
      shift(from: mark.place, insertedBy: index)
    case (_?, nil):
      try value.remove(at: mark.place, member: "at")
      entries.removeAll { $0.mark.place.tokens.starts(with: mark.place.tokens) }
      shift(from: mark.place, insertedBy: nil)
    case (let ours?, let wanted?):
      if let order = Permutation(from: ours, to: wanted) { return try reorder(mark.place, order) }
      guard value[mark.place] != nil else { throw PatchProblem("there is no '\(mark.place)'") }
      try value.edit(mark.place.tokens[...], of: mark.place) { value throws(PatchProblem) in value = wanted }
    }
  }

  /// Takes the members of one side in place of those of the other.
  private mutating func replaceMembers(of mark: ConflictMark, by wanted: Value?) throws(PatchProblem) {
    let names = [mark.base, mark.ours, mark.theirs].flatMap { $0?.memberNames ?? [] }
    try value.edit(mark.place.tokens[...], of: mark.place) { value throws(PatchProblem) in
      guard case .map(var map) = value else { throw PatchProblem("'\(mark.place)' is no object") }
      for name in names where wanted?.member(name) == nil { map = map.removing(name) }
      for name in wanted?.memberNames ?? [] { if let member = wanted?.member(name) { map = map.setting(name, member) } }
      value = .map(map)
    }
  }

  /// Puts the elements of a list in another order, as they are now.
  private mutating func reorder(_ place: JSONPointer, _ order: Permutation) throws(PatchProblem) {
    guard case .list(let items)? = value[place], items.count == order.sources.count else {
      throw PatchProblem("the list '\(place)' has other elements")
    }
    try value.edit(place.tokens[...], of: place) { value throws(PatchProblem) in
      value = .list(order.sources.map { items[$0] })
    }
    for index in entries.indices {
      guard let element = entries[index].mark.place.element(of: place),
        let target = order.sources.firstIndex(of: element)
      else { continue }
      entries[index].mark.place.tokens[place.tokens.count] = String(target)
    }
  }

  /// Moves the marks of a list's elements when one before them has come or gone.
  ///
  /// - Parameter number: the number that the mark had whose element was inserted; nil where one was removed. What marks
  ///   before it would insert at the same place comes in front of it, and what those behind it would, behind it.
  private mutating func shift(from place: JSONPointer, insertedBy number: Int?) {
    let outer = JSONPointer(Array(place.tokens.dropLast()))
    guard case .list? = value[outer], let changed = place.tokens.last.flatMap({ Int($0) }) else { return }
    for index in entries.indices {
      let mark = entries[index].mark
      guard let element = mark.place.element(of: outer) else { continue }
      let isInserting = mark.ours == nil && !mark.isOfMembers && mark.place.tokens.count == outer.tokens.count + 1
      let moves =
        if let number {
          element > changed || element == changed && !(isInserting && index < number)
        } else {
          element > changed
        }
      if moves { entries[index].mark.place.tokens[outer.tokens.count] = String(element + (number == nil ? -1 : 1)) }
    }
  }

  private static func noConflict(at place: JSONPointer?, among marks: [ConflictMark]) -> Diagnostic {
    let known = marks.map(\.place.description)
    guard let place, !marks.isEmpty else {
      return Diagnostic(.invalidPointer, "the file has no conflict to resolve")
    }
    return Diagnostic(
      .invalidPointer, "there is no conflict at '\(place)'", at: JSONPointer([ConflictMark.key]),
      notes: ["there are conflicts at: \(known.joined(separator: ", "))"],
      help: nearestName(to: place.description, among: known).map { "did you mean '\($0)'?" })
  }
}

/// How the elements of one list become another list: the numbers in the first of the elements of the second.
private struct Permutation {
  let sources: [Int]

  /// Nil where the lists have different elements.
  init?(from old: Value, to new: Value) {
    guard case .list(let old) = old, case .list(let new) = new, old.count == new.count else { return nil }
    var free = Array(old.indices)
    var sources: [Int] = []
    for element in new {
      guard let place = free.firstIndex(where: { old[$0] == element }) else { return nil }
      sources.append(free.remove(at: place))
    }
    self.sources = sources
  }
}

extension JSONPointer {
  /// The number of the element of a list in which it leads on; nil where it leads elsewhere.
  fileprivate func element(of list: JSONPointer) -> Int? {
    tokens.count > list.tokens.count && tokens.starts(with: list.tokens) ? Int(tokens[list.tokens.count]) : nil
  }
}

extension Value {
  fileprivate var memberNames: [String] { if case .map(let map) = self { map.keys.compactMap(\.text) } else { [] } }
}
