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
    /// A mark for each event.
    package var marks: [Mark] = []

    package init(pointer: JSONPointer? = nil, upstreams: [Int] = [], marks: [Mark] = []) {
      (self.pointer, self.upstreams, self.marks) = (pointer, upstreams, marks)
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
  /// The cause is what the upstream operators have published in the same step. An event of a timer has none there: its
  /// cause is then the first upstream value that is equal to it and later than the causes before it, as for `delay` and
  /// `debounce`, or else the latest upstream value, as for `collect`.
  package func causes(of events: [[History.Event]]) -> [[[EventPlace]]] {
    lanes.indices.map { lane in
      var latest: [Int: Int] = [:]
      return lanes[lane].marks.indices.map { index in
        let mark = lanes[lane].marks[index]
        let inStep = lanes[lane].upstreams.compactMap { upstream in
          lanes[upstream].marks.lastIndex { $0.step == mark.step && $0.order < mark.order }
            .map { EventPlace(lane: upstream, index: $0) }
        }
        if !inStep.isEmpty || mark.step < 0 { return inStep }
        return lanes[lane].upstreams.compactMap { upstream in
          let before = lanes[upstream].marks.indices.filter { place in
            let other = lanes[upstream].marks[place]
            return other.step >= 0 && other.order < mark.order && events[upstream][place].isValue
          }
          guard case .value(let value) = events[lane][index].event else {
            return before.last.map { EventPlace(lane: upstream, index: $0) }
          }
          let equal = before.first { place in
            guard case .value(let other) = events[upstream][place].event else { return false }
            return place > latest[upstream] ?? -1 && other == value
          }
          guard let place = equal ?? before.last else { return nil }
          if equal != nil { latest[upstream] = place }
          return EventPlace(lane: upstream, index: place)
        }
      }
    }
  }
}

extension History.Event {
  fileprivate var isValue: Bool { if case .value = event { true } else { false } }
}
