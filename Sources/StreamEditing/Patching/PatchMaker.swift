public import StreamCore
internal import StreamKit

/// Creates the operations that turn one value into another, guided by their common parts.
struct PatchMaker {
  private(set) var operations: [JSONPatch.Operation] = []

  /// Adds the operations that turn the old value at this location into the new one.
  mutating func change(_ old: Value, into new: Value, at path: JSONPointer, role: StreamRole) {
    if old == new { return }
    var inner = PatchMaker()
    switch (old, new) {
    case (.map(let before), .map(let after)): inner.changeMembers(before, into: after, at: path, role: role)
    case (.list(let before), .list(let after)):
      inner.changeElements(before.elements, into: after.elements, at: path, role: role)
    default: break
    }
    let whole = JSONPatch.Operation.replace(path, new)
    // A patch longer than the new value is useless, except for individual changes of streams and operators.
    if inner.operations.isEmpty || inner.size > (role.isStructural ? 8 : 1) * PatchMaker([whole]).size {
      operations.append(whole)
    } else {
      operations += inner.operations
    }
  }

  init() {}

  private init(_ operations: [JSONPatch.Operation]) { self.operations = operations }

  /// Maximum number of elements of an array that are moved, or added, times the number of those that stay. An array that
  /// needs more is replaced.
  private static let stepLimit = 100_000_000

  /// Bytes of the patch as text.
  private var size: Int { operations.reduce(0) { $0 + JSONWriter.compact($1.value).utf8.count + 1 } }

  private mutating func changeMembers(
    _ old: ValueMap, into new: ValueMap, at path: JSONPointer, role: StreamRole
  ) {
    var fresh = new.keys.compactMap(\.text).filter { old[$0] == nil }
    for case (.string(let name), let value) in old.pairs where new[name] == nil {
      // An unchanged value under another name has been renamed.
      if Self.isTelling(value), let place = fresh.firstIndex(where: { new[$0] == value }) {
        operations.append(.move(from: path.appending(name), to: path.appending(fresh.remove(at: place))))
      } else {
        operations.append(.remove(path.appending(name)))
      }
    }
    for case (.string(let name), let value) in old.pairs {
      if let next = new[name] { change(value, into: next, at: path.appending(name), role: role.member(name)) }
    }
    for name in fresh {
      if let value = new[name] { operations.append(.add(path.appending(name), value)) }
    }
  }

  /// Whether a value is large enough that an equal value elsewhere is not a coincidence.
  private static func isTelling(_ value: Value) -> Bool {
    switch value {
    case .list(let items): !items.isEmpty
    case .map(let map): !map.isEmpty
    default: false
    }
  }

  private mutating func changeElements(
    _ old: [Value], into new: [Value], at path: JSONPointer, role: StreamRole
  ) {
    let alignment = ListAlignment(old, new, role: role)
    guard (alignment.added.count + alignment.moved.count) * alignment.pairs.count <= Self.stepLimit else {
      operations.append(.replace(path, .list(ValueList(new))))
      return
    }
    for place in alignment.removed.reversed() { operations.append(.remove(path.appending(place))) }
    // The current array, each element given by its index in the new array, including elements not yet settled.
    let gone = Set(alignment.removed)
    let newPlaces = alignment.newPlaces
    var list = old.indices.filter { !gone.contains($0) }.compactMap { newPlaces[$0] }
    let added = Set(alignment.added)
    // The index behind the elements before `place`, which are already in place.
    var target = 0
    for place in new.indices {
      guard added.contains(place) || alignment.moved.contains(place) else {
        target = (list[target...].firstIndex(of: place) ?? target - 1) + 1
        continue
      }
      let current = added.contains(place) ? nil : list.firstIndex(of: place)
      if let current {
        list.remove(at: current)
        if current < target { target -= 1 }
      }
      list.insert(place, at: target)
      defer { target += 1 }
      if let current {
        if current != target { operations.append(.move(from: path.appending(current), to: path.appending(target))) }
      } else {
        operations.append(.add(path.appending(target), new[place]))
      }
    }
    for pair in alignment.pairs {
      change(old[pair.old], into: new[pair.new], at: path.appending(pair.new), role: role.element)
    }
  }
}

extension JSONPatch {
  /// Creates a short patch that changes the first stream file to the second.
  ///
  /// Both are compared as stream files: operators by their ids, and so on. The order of members is ignored.
  public init(from old: Value, to new: Value) {
    var maker = PatchMaker()
    maker.change(old, into: new, at: JSONPointer(), role: .model)
    self.init(maker.operations)
  }
}
