internal import StreamCore
internal import StreamEngine
internal import StreamKit
internal import Synchronization

/// The newest events of each operator, for clients that ask for them.
final class RecentEvents: Sendable {
  private struct Entry {
    /// The number among all events, from 1.
    let order: Int
    let time: StreamTime
    /// The values that the streams around the operator were started for.
    let starting: [Value]
    let member: String
    let value: Value
  }

  private struct State {
    var order = 0
    /// The newest events of each operator, the oldest first.
    var entries: [JSONPointer: [Entry]] = [:]
  }

  private let state = Mutex(State())
  private let capacity = Atomic(0)

  /// Maximum number of events that a client can ask for, by operator.
  static let most = 1_000
  /// Maximum number of bytes of a value in a response; the beginning of a longer one is sent as a string.
  private static let valueLimit = 2_000

  /// Keeps this many events of each operator from now on; none if it is 0.
  func keep(_ count: Int) {
    guard capacity.exchange(count, ordering: .relaxed) != count, count == 0 else { return }
    state.withLock { $0.entries = [:] }
  }

  func note(_ member: StaticString, _ value: Value, of operator: JSONPointer, at moment: ProbeMoment) {
    let capacity = capacity.load(ordering: .relaxed)
    guard capacity > 0 else { return }
    let (time, starting) = (moment.time, moment.startingValues)
    state.withLock { state in
      state.order += 1
      let entry = Entry(order: state.order, time: time, starting: starting, member: "\(member)", value: value)
      // Moves the others at most once for each of them.
      if state.entries[`operator`, default: []].count >= 2 * capacity {
        state.entries[`operator`]?.removeFirst(capacity)
      }
      state.entries[`operator`, default: []].append(entry)
    }
  }

  /// The events of each operator after a number, as many as are kept, the oldest first.
  func values(after order: Int) -> [JSONPointer: Value] {
    let capacity = capacity.load(ordering: .relaxed)
    let entries = state.withLock { $0.entries }
    return entries.mapValues { entries in
      .list(ValueList(entries.suffix(capacity).filter { $0.order > order }.map(Self.value)))
    }
  }

  private static func value(of entry: Entry) -> Value {
    var members: [(Value, Value)] = [
      ("order", .int(Int64(entry.order))), ("at", .double(entry.time.seconds)),
      (.string(entry.member), shortened(entry.value)),
    ]
    if !entry.starting.isEmpty { members.append(("in", .list(ValueList(entry.starting.map(shortened))))) }
    return .map(ValueMap(members))
  }

  private static func shortened(_ value: Value) -> Value {
    var bytes: [UInt8] = []
    if JSONWriter.append(value, to: &bytes, upTo: valueLimit).isWhole { return value }
    return .string(JSONWriter.beginning(of: value, bytes: valueLimit))
  }
}
