/// The order of a merged list: the order of one side, with the other side's changes of the order applied to it.
struct ElementOrder {
  let keys: [ElementKey]
  /// Elements that both sides have inserted at the same position or moved differently; nil if there are none.
  /// Irrelevant for an array whose order has no meaning.
  let clash: [ElementKey]?

  /// Merges the orders of both sides.
  ///
  /// - Parameters:
  ///   - side: The side whose order takes precedence.
  ///   - keeping: Returns whether an element is in the merged array.
  /// - Complexity: O(n).
  init(_ lists: ElementLists, startingWith side: StreamMerge.Side, keeping: (ElementKey) -> Bool) {
    let isOurs = side == .ours
    let first = (isOurs ? lists.oursKeys : lists.theirsKeys).filter(keeping)
    let others = (isOurs ? lists.theirsKeys : lists.oursKeys).filter(keeping)
    let moved = isOurs ? lists.oursMoved : lists.theirsMoved
    let othersMoved = isOurs ? lists.theirsMoved : lists.oursMoved
    let settled = Set(first)
    let common = settled.intersection(others)
    var clash = Self.disputed(first, others, common: common, moved, othersMoved)
    /// Whether only the other side has moved the element.
    func isMovedByOther(_ key: ElementKey) -> Bool { othersMoved.contains(key) && !moved.contains(key) }
    /// Whether only this side has set the position of the element.
    func isOwn(_ key: ElementKey) -> Bool {
      settled.contains(key) && (!common.contains(key) || moved.contains(key) && !othersMoved.contains(key))
    }
    // A linked list: each element's successor, and under nil the first element. Elements that the other side has moved
    // leave it before any is inserted, so that none of them separates two that become neighbors.
    var next: [ElementKey?: ElementKey] = [:]
    var last: ElementKey?
    for key in first where !isMovedByOther(key) {
      next[last] = key
      last = key
    }
    // The nearest element before the current one on the other side that this side has not put elsewhere.
    var anchor: ElementKey?
    for key in others {
      if !settled.contains(key) || isMovedByOther(key) {
        var place = anchor
        while let own = next[place], isOwn(own) { place = own }
        if place != anchor, clash == nil { clash = [key, next[anchor]].compactMap(\.self) }
        next[key] = next[place]
        next[place] = key
      }
      if !moved.contains(key) || othersMoved.contains(key) { anchor = key }
    }
    var keys: [ElementKey] = []
    while let key = next[keys.last] { keys.append(key) }
    self.keys = keys
    self.clash = clash
  }

  /// Elements of both sides that each side has put at another place.
  private static func disputed(
    _ first: [ElementKey], _ others: [ElementKey], common: Set<ElementKey>, _ moved: Set<ElementKey>,
    _ othersMoved: Set<ElementKey>
  ) -> [ElementKey]? {
    let movedByBoth = moved.intersection(othersMoved).intersection(common)
    if !movedByBoth.isEmpty, first.filter(common.contains) != others.filter(common.contains) {
      return first.filter(movedByBoth.contains)
    }
    // Elements that both sides have added need one place among the elements that neither side, or both, have moved.
    let added = common.filter(\.isAdded)
    let still = common.subtracting(moved.symmetricDifference(othersMoved))
    guard !added.isEmpty, first.filter(still.contains) != others.filter(still.contains) else { return nil }
    return first.filter(added.contains)
  }

  /// Returns the elements of two orders, each with its position in the first order: its index, or the index of the next
  /// element of the first order. Nil if the orders contradict each other.
  ///
  /// Removing from the first order the elements that the second lacks, and inserting the missing ones at their
  /// positions in this sequence, gives the second order.
  static func union(of first: [ElementKey], _ second: [ElementKey]) -> [(key: ElementKey, place: Int)]? {
    let places = Dictionary(uniqueKeysWithValues: zip(first, first.indices))
    var inserted: [Int: [ElementKey]] = [:]
    var place = 0
    for key in second {
      if let known = places[key] {
        guard known >= place else { return nil }
        place = known + 1
      } else {
        inserted[place, default: []].append(key)
      }
    }
    return (0...first.count).flatMap { place in
      ((inserted[place] ?? []) + first[place...].prefix(1)).map { (key: $0, place: place) }
    }
  }
}
