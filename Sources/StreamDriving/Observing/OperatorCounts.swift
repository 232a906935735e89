internal import StreamCore
internal import StreamEngine
internal import StreamKit
internal import Synchronization

/// The number of values that each operator has published since counting began. Operators of inner streams are not
/// counted: their program would have to run apart from that of the operator around them.
final class OperatorCounts: Sendable {
  private let counters = Mutex<[JSONPointer: OperatorCounter]>([:])

  /// The operators to count, in addition to those that another choice observes.
  func choice(beside other: ProbePlace.Choice?) -> ProbePlace.Choice {
    { [self] place in
      let observer = other?(place)
      guard !place.isInner else { return observer }
      let counter = OperatorCounter(observer)
      counters.withLock { $0[place.pointer] = counter }
      return counter
    }
  }

  var values: [JSONPointer: Int] { counters.withLock { $0.mapValues(\.count) } }
}

private final class OperatorCounter: ProbeObserver {
  private let next: (any ProbeObserver)?
  private let total = Atomic(0)

  init(_ next: (any ProbeObserver)?) { self.next = next }

  var count: Int { total.load(ordering: .relaxed) }

  func noteStart() { next?.noteStart() }

  func note(_ value: Value, at moment: ProbeMoment) {
    total.wrappingAdd(1, ordering: .relaxed)
    next?.note(value, at: moment)
  }

  func note(_ completion: Completion, hasValue: Bool, at moment: ProbeMoment) {
    next?.note(completion, hasValue: hasValue, at: moment)
  }
}

/// The state of the operators of a run: its size, and the number of timers.
struct OperatorFigures {
  struct Entry {
    let place: ProbePlace?
    let name: String
    let pointer: JSONPointer
    /// Number of its subscriptions: that of groups, for an operator in a group.
    var streams = 0
    var bytes = 0
    /// Number of values in its state.
    var held = 0
    var timers = 0
  }

  private(set) var entries: [Entry] = []
  /// Seconds that the estimate took.
  let seconds: Double

  /// - Parameter places: All operators of the stream.
  init(_ execution: Execution, _ places: [ProbePlace]) {
    let clock = LiveClock()
    let holdings = (try? execution.holdings()) ?? []
    var numbers: [JSONPointer: Int] = [:]
    for place in places where numbers[place.pointer] == nil {
      numbers[place.pointer] = entries.count
      entries.append(Entry(place: place, name: place.name, pointer: place.pointer))
    }
    for holding in holdings {
      let number = numbers[holding.pointer] ?? entries.count
      if number == entries.count {
        numbers[holding.pointer] = number
        entries.append(Entry(place: nil, name: holding.name, pointer: holding.pointer))
      }
      entries[number].streams += 1
      entries[number].bytes += holding.bytes
      entries[number].held += holding.values
      entries[number].timers += holding.timers
    }
    seconds = clock.now.seconds
  }
}
