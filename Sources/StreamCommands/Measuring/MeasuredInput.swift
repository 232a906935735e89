internal import StreamCore
internal import StreamKit
internal import StreamRuntime

/// What a measured stream is fed, in memory: values of its inputs in the order of their times, again and again.
struct MeasuredInput {
  struct Item {
    let input: Int
    let value: Value
    let time: StreamTime
  }

  /// At least one.
  let items: [Item]
  /// From the beginning of the recording to where it begins again.
  let period: Interval

  /// Nothing where there is no value.
  ///
  /// - Parameters:
  ///   - scripts: what each input is fed, one after the other; all of one input in the order of their times.
  ///   - pace: from the last value to the first of the next time.
  init?(_ scripts: [(input: Int, events: [RecordedEvent])], pace: Interval) {
    var items: [Item] = []
    for (input, events) in scripts {
      for event in events {
        guard case .value(let value) = event.kind else { continue }
        items.append(Item(input: input, value: value, time: StreamTime(seconds: event.at)))
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
