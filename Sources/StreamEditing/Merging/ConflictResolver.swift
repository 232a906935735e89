internal import StreamCore
internal import StreamKit

/// Takes the versions of one side at marks, in one pass over the value that they are in.
struct ConflictResolver {
  let side: StreamMerge.Side

  /// A mark, its number in the file, and whether it is to be resolved.
  struct Entry {
    let number: Int
    var mark: StreamModel.ConflictMark
    let isChosen: Bool

    /// The mark of an element that is now at another index of the list at a depth.
    fileprivate func moved(to index: Int, depth: Int) -> Entry {
      var entry = self
      entry.mark.place.tokens[depth] = String(index)
      return entry
    }

    /// Whether taking theirs inserts an element or a member into the container at a depth.
    fileprivate func inserts(at depth: Int) -> Bool {
      mark.ours == nil && !mark.isOfMembers && mark.place.tokens.count == depth + 1
    }
  }

  /// A mark whose versions do not fit the file.
  struct StaleMark: Error {
    let place: JSONPointer
  }

  /// The marks inside a container by the step that leads on; the steps in the order of the marks.
  private struct Groups {
    private(set) var tokens: [String] = []
    private(set) var entries: [String: [Entry]] = [:]

    mutating func append(_ entry: Entry, at depth: Int) {
      let token = entry.mark.place.tokens[depth]
      if entries[token] == nil { tokens.append(token) }
      entries[token, default: []].append(entry)
    }
  }

  private func version(of entry: Entry) -> Value? { side == .ours ? entry.mark.ours : entry.mark.theirs }

  /// Resolves the chosen marks at and inside a value.
  ///
  /// - Parameter depth: the number of steps that lead to the value.
  /// - Returns: the marks that are left, with their places in the new value. Marks inside a version that was replaced or
  ///   removed are gone with it.
  func resolve(_ value: inout Value, _ entries: [Entry], depth: Int) throws(StaleMark) -> [Entry] {
    var left: [Entry] = []
    var inner = Groups()
    for entry in entries {
      if entry.mark.place.tokens.count > depth {
        inner.append(entry, at: depth)
      } else if !entry.isChosen {
        left.append(entry)
      } else if entry.mark.isOfMembers {
        try replaceMembers(of: &value, entry)
      } else {
        guard let wanted = version(of: entry) else { throw StaleMark(place: entry.mark.place) }
        value = wanted
        return []
      }
    }
    if inner.tokens.isEmpty { return left }
    switch value {
    case .list(let items):
      let resolved = try resolveElements(of: items.elements, inner, depth: depth)
      value = .list(resolved.items)
      return left + resolved.left
    case .map(let map):
      let resolved = try resolveMembers(of: map, inner, depth: depth)
      value = .map(resolved.map)
      return left + resolved.left
    default:
      for token in inner.tokens { left += try kept(inner.entries[token] ?? []) }
      return left
    }
  }

  private func resolveElements(
    of items: [Value], _ inner: Groups, depth: Int
  ) throws(StaleMark) -> (items: [Value], left: [Entry]) {
    var left: [Entry] = []
    var marked: [Int: [Entry]] = [:]
    for token in inner.tokens {
      let entries = inner.entries[token] ?? []
      if let index = JSONPointer.index(token), index <= items.count {
        marked[index] = entries
      } else {
        left += try kept(entries)
      }
    }
    var resolved: [Value] = []
    for index in 0...items.count {
      var inside: [Entry] = []
      for entry in marked[index] ?? [] {
        if !entry.inserts(at: depth) {
          inside.append(entry)
        } else if !entry.isChosen {
          left.append(entry.moved(to: resolved.count, depth: depth))
        } else if let wanted = version(of: entry) {
          resolved.append(wanted)
        }
      }
      guard index < items.count else {
        left += try kept(inside)
        break
      }
      if inside.isEmpty {
        resolved.append(items[index])
      } else if !inside.contains(where: { removes($0, at: depth) }) {
        var item = items[index]
        for entry in try resolve(&item, inside, depth: depth + 1) {
          left.append(entry.moved(to: resolved.count, depth: depth))
        }
        resolved.append(item)
      }
    }
    return (resolved, left)
  }

  private func resolveMembers(
    of map: ValueMap, _ inner: Groups, depth: Int
  ) throws(StaleMark) -> (map: ValueMap, left: [Entry]) {
    var left: [Entry] = []
    var members: [(Value, Value)] = []
    for (key, value) in map.pairs {
      var member: Value? = value
      if let name = key.text, let entries = inner.entries[name] {
        left += try resolveMember(&member, entries, depth: depth)
      }
      if let member { members.append((key, member)) }
    }
    for name in inner.tokens where map[.string(name)] == nil {
      var member: Value?
      left += try resolveMember(&member, inner.entries[name] ?? [], depth: depth)
      if let member { members.append((.string(name), member)) }
    }
    return (ValueMap(members), left)
  }

  private func resolveMember(
    _ member: inout Value?, _ entries: [Entry], depth: Int
  ) throws(StaleMark) -> [Entry] {
    var left: [Entry] = []
    var inside: [Entry] = []
    for entry in entries {
      if !entry.inserts(at: depth) {
        inside.append(entry)
      } else if !entry.isChosen {
        left.append(entry)
      } else if let wanted = version(of: entry) {
        member = wanted
      }
    }
    guard var value = member else { return left + (try kept(inside)) }
    if inside.contains(where: { removes($0, at: depth) }) {
      member = nil
      return left
    }
    left += try resolve(&value, inside, depth: depth + 1)
    member = value
    return left
  }

  /// Whether resolving a mark removes the element or the member from the container at a depth.
  private func removes(_ entry: Entry, at depth: Int) -> Bool {
    entry.isChosen && entry.mark.place.tokens.count == depth + 1 && !entry.mark.isOfMembers && version(of: entry) == nil
  }

  /// The marks of a place that does not exist: they are left unless they are to be resolved.
  private func kept(_ entries: [Entry]) throws(StaleMark) -> [Entry] {
    if let stale = entries.first(where: \.isChosen) { throw StaleMark(place: stale.mark.place) }
    return entries
  }

  /// Replaces the members of one side with those of the other.
  private func replaceMembers(of value: inout Value, _ entry: Entry) throws(StaleMark) {
    guard case .map(var map) = value else { throw StaleMark(place: entry.mark.place) }
    let mark = entry.mark
    let wanted = version(of: entry)
    for name in [mark.base, mark.ours, mark.theirs].flatMap({ $0?.memberNames ?? [] }) where wanted?.member(name) == nil
    {
      map = map.removing(name)
    }
    for name in wanted?.memberNames ?? [] { if let member = wanted?.member(name) { map = map.setting(name, member) } }
    value = .map(map)
  }
}
