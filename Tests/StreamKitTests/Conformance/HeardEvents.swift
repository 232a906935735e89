import StreamCore
import StreamEngine
import StreamKit

/// Sorts the events of a stream by observer, and adds the events of published streams to these streams.
enum HeardEvents {
  typealias Heard = VectorComparison.Heard

  /// The events of each observer.
  static func byObserver(_ history: [History.Event], of vector: ConformanceVector) -> [[Heard]] {
    guard vector.observers.count > 1 else { return [withParts(history.compactMap(heard))] }
    var all: [[Heard]] = vector.observers.map { _ in [] }
    for event in history {
      guard case .value(let value) = event.event, case .int(let observer)? = value.field("observer"),
        let materialized = value.field("event"), all.indices.contains(Int(observer))
      else { continue }
      all[Int(observer)].append(Heard(time: milliseconds(event.time), what: what(materialized)))
    }
    return all.map(withParts)
  }

  private static func heard(_ event: History.Event) -> Heard? {
    let time = milliseconds(event.time)
    switch event.event {
    case .value(let value): return Heard(time: time, what: .value(value))
    case .finished: return Heard(time: time, what: .finished)
    case .failure(let failure): return Heard(time: time, what: .failure(failure))
    default: return nil
    }
  }

  private static func milliseconds(_ time: StreamTime) -> Double { Double(time.nanoseconds) / 1e6 }

  /// The event that `materialize` has made a value of.
  private static func what(_ materialized: Value) -> VectorComparison.What {
    if let value = materialized.field("value") { return .value(value) }
    if let failure = materialized.field("failure") { return .failure(StreamFailure(payload: failure)) }
    return .finished
  }

  /// `{"part", "opened"}` begins a stream, `{"part", "event"}` is said by the newest of that name. A failure that ends
  /// all of them is the failure of each open stream.
  private static func withParts(_ events: [Heard]) -> [Heard] {
    var result: [Heard] = []
    var places: [(part: Value, index: Int)] = []
    for event in events {
      switch event.what {
      case .value(let value):
        guard let part = value.field("part") else { break }
        if value.field("opened") != nil {
          places.append((part, result.count))
          result.append(Heard(time: event.time, what: .part([])))
          continue
        }
        guard let materialized = value.field("event"), let place = places.last(where: { $0.part == part }) else {
          break
        }
        add(Heard(time: event.time, what: what(materialized)), to: place.index, of: &result)
        continue
      case .failure:
        for place in places { add(event, to: place.index, of: &result) }
      default: break
      }
      result.append(event)
    }
    return result
  }

  /// Nothing is said after the end.
  private static func add(_ event: Heard, to index: Int, of result: inout [Heard]) {
    guard case .part(let events) = result[index].what else { return }
    switch events.last?.what {
    case .finished, .failure: return
    default: result[index].what = .part(events + [event])
    }
  }
}
