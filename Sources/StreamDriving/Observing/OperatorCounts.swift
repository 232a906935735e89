internal import StreamCore
internal import StreamEngine
internal import StreamKit
internal import Synchronization

/// The number of values that each operator has published since counting began, in all inner streams together, and the
/// newest ones.
final class OperatorCounts: Sendable {
  private let counts = Mutex<[JSONPointer: OperatorCount]>([:])
  let recent = RecentEvents()

  /// The operators to count, in addition to those that another choice observes.
  func choice(beside other: ProbePlace.Choice?) -> ProbePlace.Choice {
    { [self] place in
      let count = counts.withLock { counts in
        let count = counts[place.pointer] ?? OperatorCount()
        counts[place.pointer] = count
        return count
      }
      return OperatorCounter(count, recent, place.pointer, other?(place))
    }
  }

  var values: [JSONPointer: Int] { counts.withLock { $0.mapValues(\.total) } }
}

private final class OperatorCount: Sendable {
  private let count = Atomic(0)

  var total: Int { count.load(ordering: .relaxed) }

  func add() { count.wrappingAdd(1, ordering: .relaxed) }
}

private final class OperatorCounter: ProbeObserver {
  private let next: (any ProbeObserver)?
  private let count: OperatorCount
  private let recent: RecentEvents
  private let pointer: JSONPointer

  init(_ count: OperatorCount, _ recent: RecentEvents, _ pointer: JSONPointer, _ next: (any ProbeObserver)?) {
    (self.count, self.recent, self.pointer, self.next) = (count, recent, pointer, next)
  }

  func noteStart() { next?.noteStart() }

  func note(_ value: Value, at moment: ProbeMoment) {
    count.add()
    recent.note("value", value, of: pointer, at: moment)
    next?.note(value, at: moment)
  }

  func note(_ completion: Completion, hasValue: Bool, at moment: ProbeMoment) {
    switch completion {
    case .finished: recent.note("finished", true, of: pointer, at: moment)
    case .failure(let failure): recent.note("failure", failure.errorValue, of: pointer, at: moment)
    }
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
    /// Whether the numbers are extrapolated.
    var isEstimate = false
  }

  private(set) var entries: [Entry] = []
  /// Seconds that the estimate took.
  let seconds: Double

  /// Maximum number of groups and other inner streams that are measured.
  private static let streamLimit = 1_000
  /// Seconds after which no more of them are measured.
  private static let longestTime = 0.01

  /// - Parameter places: All operators of the stream.
  init(_ execution: Execution, _ places: [ProbePlace]) {
    let clock = LiveClock()
    let holdings = execution.sampledHoldings(streams: Self.streamLimit) { clock.now.seconds > Self.longestTime }
    var numbers: [JSONPointer: Int] = [:]
    for place in places where numbers[place.pointer] == nil {
      numbers[place.pointer] = entries.count
      entries.append(Entry(place: place, name: place.name, pointer: place.pointer))
    }
    for holding in holdings {
      // The source of a group is not an operator of the file; the operator that starts the group feeds it.
      let outer = JSONPointer(Array(holding.pointer.tokens.dropLast(2)))
      if numbers[holding.pointer] == nil, holding.name == "feed", let number = numbers[outer] {
        entries[number].bytes += holding.bytes
        entries[number].held += holding.values
        continue
      }
      let number = numbers[holding.pointer] ?? entries.count
      if number == entries.count {
        numbers[holding.pointer] = number
        entries.append(Entry(place: nil, name: holding.name, pointer: holding.pointer))
      }
      entries[number].streams += holding.streams
      entries[number].bytes += holding.bytes
      entries[number].held += holding.values
      entries[number].timers += holding.timers
      if holding.isEstimate { entries[number].isEstimate = true }
    }
    seconds = clock.now.seconds
  }
}
