internal import StreamCore
package import StreamEngine
package import StreamKit

/// The input of a measured stream, in memory: the values of its inputs in the order of their times, repeated.
package struct MeasuredInput {
  struct Item {
    let input: Int
    let value: Value
    let time: StreamTime
  }

  /// At least one.
  let items: [Item]
  /// Time from the start of the recording to its repetition.
  let period: Interval

  /// Returns nil if there are no values.
  ///
  /// - Parameters:
  ///   - scripts: The recordings of the inputs; the events of one input in the order of their times.
  ///   - pace: Time between the last value and the first value of the repetition.
  package init?(_ scripts: [(input: Int, history: History)], pace: Interval) {
    var items: [Item] = []
    for (input, history) in scripts {
      for timed in history.events {
        guard case .value(let value) = timed.event else { continue }
        items.append(Item(input: input, value: value, time: timed.time))
      }
    }
    guard !items.isEmpty else { return nil }
    // By time; of one time in the order given.
    self.items = items.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
      \.element)
    let end = self.items.reduce(StreamTime.zero) { max($0, $1.time) }
    period = (end + pace) - .zero
  }
}
