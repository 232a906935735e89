internal import StreamCore

/// Lists, merged element by element.
extension Merger {
  mutating func mergeElements(
    _ base: StreamPart, _ ours: StreamPart, _ theirs: StreamPart, role: StreamRole
  ) -> [Value] {
    let lists = ElementLists(base.elements, ours.elements, theirs.elements, role: role)
    // What becomes of each element that is left.
    var contents: [ElementKey: Value] = [:]
    // The conflicts of each element, by their numbers.
    var noted: [(key: ElementKey, conflicts: Range<Int>)] = []
    for key in lists.keys {
      let parts = lists.parts(of: key)
      let before = conflicts.count
      if let merged = merge(parts.base, parts.ours, parts.theirs, role: role.element) { contents[key] = merged }
      if conflicts.count > before { noted.append((key, before..<conflicts.count)) }
    }
    var order = ElementOrder(lists, keeping: { contents[$0] != nil })
    if let clash = order.mergeOrders(isOrdered: role.isOrdered) {
      let parts = clash.map(lists.parts(of:))
      _ = conflict(
        "both have put something at the same place, and which comes first makes a difference", base,
        parts.lazy.compactMap(\.ours).first ?? ours, parts.lazy.compactMap(\.theirs).first ?? theirs)
      // Both orders, each with what the other side has put in.
      let orders = [false, true].map { startsWithTheirs in
        var order = ElementOrder(lists, keeping: { contents[$0] != nil }, startingWithTheirs: startsWithTheirs)
        _ = order.mergeOrders(isOrdered: false)
        return order
      }
      changeMarks(since: conflicts.count - 1) { mark in
        mark.ours = .list(orders[0].keys.compactMap { contents[$0] })
        mark.theirs = .list(orders[1].keys.compactMap { contents[$0] })
      }
      order = favoured == .ours ? orders[0] : orders[1]
    }
    for (key, numbers) in noted {
      let place = order.keys.firstIndex(of: key) ?? lists.place(of: key, in: order.keys)
      for number in numbers { prefixMark(number, by: String(place)) }
    }
    return order.keys.compactMap { contents[$0] }
  }
}

/// An element of three lists: where it was, or who has added it, and where.
enum ElementKey: Hashable {
  case base(Int)
  case ours(Int)
  case theirs(Int)

  var isAdded: Bool { if case .base = self { false } else { true } }
}

/// Which elements of three versions of a list are the same.
struct ElementLists {
  private let base: [StreamPart]
  private let ours: [StreamPart]
  private let theirs: [StreamPart]
  /// The elements of each side, in its order.
  let oursKeys: [ElementKey]
  let theirsKeys: [ElementKey]
  /// Those that a side has moved.
  let oursMoved: Set<ElementKey>
  let theirsMoved: Set<ElementKey>
  private let oursPlaces: [ElementKey: Int]
  private let theirsPlaces: [ElementKey: Int]

  init(_ base: [StreamPart], _ ours: [StreamPart], _ theirs: [StreamPart], role: StreamRole) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
    let first = ListAlignment(base.map(\.value), ours.map(\.value), role: role)
    let second = ListAlignment(base.map(\.value), theirs.map(\.value), role: role)
    // What both have added is one thing if it has the same identifier, or is equal.
    var shared: [Int: Int] = [:]
    var free = first.added
    for place in second.added {
      let name = role.element.identifier(of: theirs[place].value)
      let match = free.firstIndex { candidate in
        let candidateName = role.element.identifier(of: ours[candidate].value)
        return name != nil && name == candidateName || ours[candidate].value == theirs[place].value
      }
      if let match { shared[place] = free.remove(at: match) }
    }
    let (oldPlaces, theirOldPlaces) = (first.oldPlaces, second.oldPlaces)
    let oursKeys: [ElementKey] = ours.indices.map { place in oldPlaces[place].map { .base($0) } ?? .ours(place) }
    let theirsKeys: [ElementKey] = theirs.indices.map { place in
      theirOldPlaces[place].map { .base($0) } ?? shared[place].map { .ours($0) } ?? .theirs(place)
    }
    self.oursKeys = oursKeys
    self.theirsKeys = theirsKeys
    oursMoved = Set(first.moved.map { oursKeys[$0] })
    theirsMoved = Set(second.moved.map { theirsKeys[$0] })
    oursPlaces = Dictionary(uniqueKeysWithValues: zip(oursKeys, ours.indices))
    theirsPlaces = Dictionary(uniqueKeysWithValues: zip(theirsKeys, theirs.indices))
  }

  /// Every element once.
  var keys: [ElementKey] {
    oursKeys + theirsKeys.filter { oursPlaces[$0] == nil }
      + base.indices.map { .base($0) }.filter { oursPlaces[$0] == nil && theirsPlaces[$0] == nil }
  }

  /// Where an element that a merged list does not have would stand in it: behind the one that it followed.
  func place(of key: ElementKey, in merged: [ElementKey]) -> Int {
    for side in [theirsKeys, oursKeys, base.indices.map { .base($0) }] {
      guard let place = side.firstIndex(of: key) else { continue }
      let neighbour = side[..<place].last(where: merged.contains)
      return neighbour.flatMap(merged.firstIndex).map { $0 + 1 } ?? 0
    }
    return merged.count
  }

  /// An element in the three versions.
  func parts(of key: ElementKey) -> (base: StreamPart?, ours: StreamPart?, theirs: StreamPart?) {
    let old: StreamPart? = if case .base(let place) = key { base[place] } else { nil }
    return (old, oursPlaces[key].map { ours[$0] }, theirsPlaces[key].map { theirs[$0] })
  }
}

/// The order of a merged list: one side's, into which the other's changes of the order are brought.
struct ElementOrder {
  private(set) var keys: [ElementKey]
  private let others: [ElementKey]
  private let moved: Set<ElementKey>
  private let othersMoved: Set<ElementKey>
  private let settled: Set<ElementKey>

  /// - Parameter keeping: whether an element is in the merged list.
  init(_ lists: ElementLists, keeping: (ElementKey) -> Bool, startingWithTheirs: Bool = false) {
    let (first, second) =
      startingWithTheirs ? (lists.theirsKeys, lists.oursKeys) : (lists.oursKeys, lists.theirsKeys)
    keys = first.filter(keeping)
    others = second.filter(keeping)
    moved = startingWithTheirs ? lists.theirsMoved : lists.oursMoved
    othersMoved = startingWithTheirs ? lists.oursMoved : lists.theirsMoved
    settled = Set(keys)
  }

  /// Brings the other side's order in.
  ///
  /// - Returns: the elements about whose order both sides are at odds, if that means something.
  mutating func mergeOrders(isOrdered: Bool) -> [ElementKey]? {
    let common = Set(others).intersection(settled)
    let disputed = moved.intersection(othersMoved).intersection(common)
    if isOrdered, !disputed.isEmpty, keys.filter(common.contains) != others.filter(common.contains) {
      return keys.filter(disputed.contains)
    }
    // What both have added must come to stand at one place among what neither, or both, have moved.
    let added = common.filter(\.isAdded)
    let still = common.subtracting(moved.symmetricDifference(othersMoved))
    if isOrdered, !added.isEmpty, keys.filter(still.contains) != others.filter(still.contains) {
      return keys.filter(added.contains)
    }
    var clash: [ElementKey]?
    // NB: all of them first: what moves away must not stand between two elements that come beside each other.
    keys.removeAll(where: isOnlyMovedByOther)
    for (place, key) in others.enumerated() where !settled.contains(key) || isOnlyMovedByOther(key) {
      // What stands before it on the other side, unless this side has put it elsewhere.
      let anchor = others[..<place].last { !moved.contains($0) || othersMoved.contains($0) }
      let start = anchor.flatMap { anchor in keys.firstIndex(of: anchor).map { $0 + 1 } } ?? 0
      var target = start
      while target < keys.count, isOurOwn(keys[target]) { target += 1 }
      if target > start, isOrdered { clash = clash ?? [key, keys[start]] }
      keys.insert(key, at: target)
    }
    return clash
  }

  /// Whether the other side alone has put the element elsewhere.
  private func isOnlyMovedByOther(_ key: ElementKey) -> Bool { othersMoved.contains(key) && !moved.contains(key) }

  /// Whether this side alone has put the element where it is.
  private func isOurOwn(_ key: ElementKey) -> Bool {
    guard settled.contains(key) else { return false }
    return !others.contains(key) || moved.contains(key) && !othersMoved.contains(key)
  }
}
