internal import CEL
internal import StreamCore
@_spi(Engine) internal import StreamEngine

/// Adds up numbers and publishes the sum or the mean when upstream finishes: the steps of `sum` and `average`.
struct Total: Sendable {
  let number: Selection
  let owner: String
  /// Whether to publish the mean instead of the sum.
  let isMean: Bool

  init(of number: Selection, owner: String, isMean: Bool) {
    self.number = number
    self.owner = owner
    self.isMean = isMean
  }

  var steps: Steps {
    .summary([number.expression].compactMap { $0 }) { segment in
      let index = segment.index(isRead: true)
      let position = number.expression?.reads("index") == true ? segment.index(for: number.expression) : index
      let isApart = position.cell != index.cell
      let total = segment.cell(for: number.type == .int ? .int : .dyn)
      let next = number.expression.map { segment.evaluate($0, index: position) } ?? segment.value
      let (later, done) = (segment.label(), segment.label())
      segment.branch(unless: segment.equal(index.cell, segment.constant(.int(0))), to: later)
      segment.store(apply(.first, next, next, &segment, first), in: total)
      segment.jump(to: done)
      segment.place(later)
      segment.store(apply(.sum, total, next, &segment, added), in: total)
      segment.place(done)
      segment.advance(index)
      if isApart { segment.advance(position) }
      segment.summarize { cells in result(of: NumberTotal(sum: cells[total], count: cells[index])) }
      segment.keep { cells in
        TotalState(
          total: NumberTotal(sum: cells[total], count: cells[index]), index: cells[position],
          result: PendingResult(cells.summary))
      } loading: { state, cells in
        cells[position] = state.index
        cells[index] = state.total.count
        if state.total.count > 0 { cells[total] = state.total.sum }
        cells.summary = state.result.summary
      } refusing: {
        $0.problem(countingSkipped: isApart)
      }
    }
  }

  private func apply(
    _ shortcut: PairFunction.Shortcut, _ left: Operand, _ right: Operand, _ segment: inout SegmentBuilder,
    _ step: @escaping @Sendable (Value, Value, Value) throws(StreamFailure) -> Value
  ) -> Operand {
    segment.apply(PairFunction(shortcut) { try? step($0, $1, .null) }, left, right) { left, right, value in
      StreamFailure.of { () throws(StreamFailure) in try step(left, right, value) }
    }
  }

  @Sendable private func first(_ number: Value, _ same: Value, _ value: Value) throws(StreamFailure) -> Value {
    try NumberTotal.require(number, owner, value)
  }

  @Sendable private func added(_ sum: Value, _ number: Value, _ value: Value) throws(StreamFailure) -> Value {
    try isMean ? NumberTotal.addToMean(sum, number, owner, value) : NumberTotal.add(sum, number, owner, value)
  }

  private func result(of total: NumberTotal) -> Value? { isMean ? total.mean.map(Value.double) : total.sum }
}

private struct TotalState: Codable, Sendable {
  var total: NumberTotal
  /// The index of the next value.
  @Counted var index: Int64
  var result: PendingResult

  /// Describes the error in a saved state; nil if it is valid.
  ///
  /// - Parameter countsSkipped: Whether the index also counts values that are not in the total.
  func problem(countingSkipped countsSkipped: Bool) -> String? {
    guard countsSkipped ? total.count <= index : total.count == index else {
      return "has the total of \(total.count) of \(index) values"
    }
    return total.isNumber ? nil : "has a total that is not a number"
  }
}

extension StreamFailure {
  /// The failure of a step that is known to fail.
  static func of(_ step: () throws(StreamFailure) -> Value) -> StreamFailure {
    do throws(StreamFailure) {
      let value = try step()
      return StreamFailure(.streamFailed, "the stream failed", value: value)
    } catch {
      return error
    }
  }
}
