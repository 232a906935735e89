internal import StreamCore
internal import StreamKit

/// Lists, merged element by element.
extension Merger {
  mutating func mergeElements(
    _ base: StreamPart, _ ours: StreamPart, _ theirs: StreamPart, role: StreamRole
  ) -> MergedPart {
    let lists = ElementLists(base.elements, ours.elements, theirs.elements, role: role)
    let start = conflicts.count
    var contents: [ElementKey: MergedPart] = [:]
    // The conflicts of each element, by their numbers.
    var noted: [ElementKey: Range<Int>] = [:]
    for key in lists.keys {
      let parts = lists.parts(of: key)
      let before = conflicts.count
      contents[key] = merge(parts.base, parts.ours, parts.theirs, role: role.element)
      if conflicts.count > before { noted[key] = before..<conflicts.count }
    }
    func order(keeping kept: KeyPath<MergedPart, Value?>, startingWith side: StreamMerge.Side = .ours) -> ElementOrder {
      ElementOrder(lists, startingWith: side) { contents[$0]?[keyPath: kept] != nil }
    }
    func list(_ order: ElementOrder, _ kept: KeyPath<MergedPart, Value?>) -> Value {
      .list(order.keys.compactMap { contents[$0]?[keyPath: kept] })
    }
    // For an element in conflict, each side may keep different elements, perhaps in a different order.
    let first = order(keeping: \.ours)
    let second = noted.isEmpty ? first : order(keeping: \.theirs)
    let clash = role.isOrdered ? first.clash ?? second.clash : nil
    if clash == nil {
      if noted.isEmpty { return MergedPart(list(first, \.ours)) }
      if let marked = ElementOrder.union(of: first.keys, second.keys) {
        arrangeConflicts(
          since: start, marked.compactMap { key, place in noted[key].map { (numbers: $0, token: String(place)) } })
        return MergedPart(ours: list(first, \.ours), theirs: list(second, \.theirs))
      }
    }
    // Marks of single elements cannot lead from one order to the other: one mark holds both lists.
    dropConflicts(since: start)
    let merged = MergedPart(
      ours: list(first, \.ours), theirs: list(order(keeping: \.theirs, startingWith: .theirs), \.theirs))
    let parts = (clash ?? []).map(lists.parts(of:))
    _ = conflict(
      clash == nil
        ? "the order of its elements depends on which side's elements are kept"
        : "both sides have inserted an element at the same position, and the order matters", base,
      parts.lazy.compactMap(\.ours).first ?? ours, parts.lazy.compactMap(\.theirs).first ?? theirs)
    changeMarks(since: start) { mark in (mark.ours, mark.theirs) = (merged.ours, merged.theirs) }
    return merged
  }
}
