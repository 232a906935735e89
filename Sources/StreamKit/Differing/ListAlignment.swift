package import StreamCore

/// Which elements of two lists are the same: by identifier, else by equality in order, else by the cheapest edit.
package struct ListAlignment {
  /// A place in the old list and the place in the new one of the same element.
  package struct Pair: Hashable {
    package let old: Int
    package let new: Int
  }

  /// In the order of the new list.
  package let pairs: [Pair]
  /// Places in the old list, in order.
  package let removed: [Int]
  /// Places in the new list, in order.
  package let added: [Int]
  /// Places in the new list of those that have changed their order among the others; as few as there can be.
  package let moved: Set<Int>

  package init(_ old: [Value], _ new: [Value], role: StreamRole) {
    var matching = ListMatching(old, new, role: role.element)
    matching.matchIdentifiers()
    matching.matchEqualInOrder()
    matching.matchEqual()
    matching.matchCheapest()
    matching.matchRest()
    let partner = matching.partner
    let pairs = new.indices.compactMap { index in partner[index].map { Pair(old: $0, new: index) } }
    self.pairs = pairs
    let kept = Set(pairs.map(\.old))
    removed = old.indices.filter { !kept.contains($0) }
    added = new.indices.filter { partner[$0] == nil }
    let staying = Set(IncreasingRun.longest(pairs.map(\.old)))
    moved = Set(pairs.indices.filter { !staying.contains($0) }.map { pairs[$0].new })
  }

  /// The place in the new list for each that is in the old one.
  package var newPlaces: [Int: Int] { Dictionary(uniqueKeysWithValues: pairs.map { ($0.old, $0.new) }) }
  /// The place in the old list for each that is in the new one.
  package var oldPlaces: [Int: Int] { Dictionary(uniqueKeysWithValues: pairs.map { ($0.new, $0.old) }) }
}

/// The longest run of numbers that grow, not necessarily next to each other.
package enum IncreasingRun {
  /// The places of its numbers, in order.
  ///
  /// - Complexity: O(n log n).
  package static func longest(_ numbers: [Int]) -> [Int] {
    /// For each length the place of the smallest number that ends a run of it.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: numbers.count)
    for (place, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      previous[place] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var run: [Int] = []
    var place = ends.last
    while let current = place {
      run.append(current)
      place = previous[current]
    }
    return run.reversed()
  }
}
