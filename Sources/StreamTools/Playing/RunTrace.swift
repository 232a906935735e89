package import StreamCore
package import StreamEngine
package import StreamKit

/// The steps of a run, with the events of each.
///
/// A step is an event from outside, or a timer, with all that the operators publish because of it at once.
package struct RunTrace: Sendable {
  /// An event from outside, or a timer.
  package struct Step: Sendable {
    package enum Kind: Hashable, Sendable {
      case start, timer, answer
      /// An event of the input with this name.
      case input(String)
    }

    package let kind: Kind
    package let time: StreamTime
  }

  /// The moment when an event of a track was published.
  package struct Mark: Hashable, Sendable {
    /// The step, by its place in `steps`; -1 if the stream has not received the event.
    package let step: Int
    /// The place among all events of the run.
    package let order: Int
  }

  /// The place and the marks of a track.
  package struct Lane: Sendable {
    /// The place of the operator in the file; nil for inputs.
    package var pointer: JSONPointer?
    /// The tracks that feed it.
    package var upstreams: [Int] = []
    /// How its values are made of values of several tracks; nil if each comes from one.
    package var combination: Combination?
    /// A mark for each event.
    package var marks: [Mark] = []

    package init(
      pointer: JSONPointer? = nil, upstreams: [Int] = [], combination: Combination? = nil, marks: [Mark] = []
    ) {
      (self.pointer, self.upstreams, self.combination, self.marks) = (pointer, upstreams, combination, marks)
    }
  }

  /// How an operator makes a value of those of several tracks.
  package enum Combination: Sendable {
    /// Takes the latest value of each.
    case latest
    /// Takes the values with the same number.
    case byNumber

    /// - Parameter name: The name of an operator.
    init?(_ name: String) {
      switch name {
      case "combineLatest", "withLatestFrom", "forkJoin": self = .latest
      case "zip": self = .byNumber
      default: return nil
      }
    }
  }

  package var steps: [Step] = []
  package var lanes: [Lane] = []
  /// When the run ended.
  package var end = StreamTime.zero

  package init() {}

  /// An event, by its track and its place there.
  package struct EventPlace: Hashable, Sendable {
    package let lane: Int
    package let index: Int
  }

  /// The direct causes of each event, by track.
  ///
  /// The causes of a combined value are those that it is made of. The cause of another event is what the upstream
  /// operators have published in the same step. An event of a timer has none there: its
  /// cause is then the first upstream value that is equal to it and later than the causes before it, as for `delay` and
  /// `debounce`, or else the latest upstream value, as for `collect`. The cause of an end is the upstream end.
  ///
  /// - Complexity: O(n log n) in the number of events.
  package func causes(of events: [[History.Event]]) -> [[[EventPlace]]] {
    var causes: [[[EventPlace]]] = []
    for lane in lanes.indices {
      let (upstreams, marks) = (lanes[lane].upstreams, lanes[lane].marks)
      // The place after the latest value that was a cause of a timer's event, by upstream track.
      var next: [Int: Int] = [:]
      var valueCount = 0
      var found: [[EventPlace]] = []
      found.reserveCapacity(marks.count)
      for index in marks.indices {
        let mark = marks[index]
        var places: [EventPlace] = []
        if let combination = lanes[lane].combination, events[lane][index].isValue {
          for upstream in upstreams {
            let place =
              switch combination {
              case .latest: latestValue(in: upstream, before: mark.order, events)
              case .byNumber: events[upstream].indices.contains(valueCount) ? valueCount : nil
              }
            if let place { places.append(EventPlace(lane: upstream, index: place)) }
          }
          valueCount += 1
        } else if mark.step >= 0 {
          for upstream in upstreams {
            let place = count(in: upstream, before: mark.order) - 1
            if place >= 0, lanes[upstream].marks[place].step == mark.step {
              places.append(EventPlace(lane: upstream, index: place))
            }
          }
          if places.isEmpty {
            for upstream in upstreams {
              let place = earlierCause(of: events[lane][index], in: upstream, before: mark.order, events, &next)
              if let place { places.append(EventPlace(lane: upstream, index: place)) }
            }
          }
        }
        found.append(places)
      }
      causes.append(found)
    }
    return causes
  }

  /// The cause of a timer's event in an upstream track.
  private func earlierCause(
    of event: History.Event, in upstream: Int, before order: Int, _ events: [[History.Event]], _ next: inout [Int: Int]
  ) -> Int? {
    let end = count(in: upstream, before: order)
    guard case .value(let value) = event.event else { return end > 0 ? end - 1 : nil }
    let start = min(next[upstream] ?? 0, end)
    let equal = (start..<end).first { place in
      guard case .value(let other) = events[upstream][place].event else { return false }
      return other == value
    }
    guard let place = equal ?? latestValue(in: upstream, before: order, events) else { return nil }
    next[upstream] = place + 1
    return place
  }

  private func latestValue(in upstream: Int, before order: Int, _ events: [[History.Event]]) -> Int? {
    (0..<count(in: upstream, before: order)).last { events[upstream][$0].isValue }
  }

  /// Returns the number of events of a track before a place among all events.
  private func count(in lane: Int, before order: Int) -> Int {
    let marks = lanes[lane].marks
    var (low, high) = (0, marks.count)
    while low < high {
      let middle = (low + high) / 2
      if marks[middle].order < order { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension History.Event {
  fileprivate var isValue: Bool { if case .value = event { true } else { false } }
}
