internal import StreamCore
internal import StreamEngine

/// Searches for the first match and publishes one result: the steps of `first`, `contains`, `isEmpty`, `allSatisfy` and
/// `findIndex`.
struct Search: Sendable {
  /// The values that match.
  enum Match: Sendable {
    case any
    /// Those for which a condition is true, or false.
    case condition(PlannedExpression, Bool = true)
    case equal(to: Value)

    /// The values that satisfy a condition; all if there is none.
    init(_ condition: PlannedExpression?) { self = condition.map { .condition($0) } ?? .any }
  }

  /// The result of a match.
  enum Find: Sendable {
    case value
    /// Its index, as an expression of the `count` of values.
    case index(OwnExpression)
    case constant(Value)
  }

  let match: Match
  let found: Find
  /// The result without a match; nil to publish nothing.
  let otherwise: Value?

  init(_ match: Match, found: Find, otherwise: Value? = nil) {
    self.match = match
    self.found = found
    self.otherwise = otherwise
  }

  var steps: Steps {
    .summary(condition.map { [$0] } ?? []) { segment in
      let index = segment.index(isRead: found.isIndex || condition?.reads("index") == true)
      segment.countSkipped(with: index)
      switch match {
      case .any: tell(index, &segment)
      case .condition(let condition, let wanted):
        let other = segment.label()
        segment.require(condition, index, else: other)
        if wanted { tell(index, &segment) } else { segment.summarize { _ in otherwise } }
        segment.place(other)
        if !wanted { tell(index, &segment) }
      case .equal(let value):
        let other = segment.label()
        segment.branch(unless: segment.equal(segment.value, segment.constant(value)), to: other)
        tell(index, &segment)
        segment.place(other)
      }
      segment.summarize { _ in otherwise }
      segment.keep { cells in
        SearchState(index: cells[index], result: PendingResult(cells.summary))
      } loading: { state, cells in
        cells[index] = state.index
        cells.summary = state.result.summary
      }
    }
  }

  private var condition: PlannedExpression? {
    if case .condition(let condition, _) = match { condition } else { nil }
  }

  private func tell(_ index: SegmentIndex, _ segment: inout SegmentBuilder) {
    switch found {
    case .constant(let constant): segment.found(segment.constant(constant))
    case .value: segment.found(segment.value)
    case .index(let expression): segment.found(segment.evaluate(expression, ["count": index.cell]))
    }
  }
}

private struct SearchState: Codable, Sendable {
  /// The index of the next value.
  @Counted var index: Int64
  var result: PendingResult
}

extension Search.Find {
  fileprivate var isIndex: Bool { if case .index = self { true } else { false } }
}
