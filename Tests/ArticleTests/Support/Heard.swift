import StreamCore

/// The events of a system, its calls of the host, and its hooks, each in order and with its time.
struct Heard: Equatable, CustomStringConvertible {
  /// Something at an instant, in nanoseconds.
  struct Entry: Equatable, CustomStringConvertible {
    var time: Int64
    var what: What

    var description: String {
      let text =
        switch what {
        case .value(let value): JSONWriter.compact(value)
        case .finished: "|"
        case .failure(let error): "#" + JSONWriter.compact(error)
        case .told(let name, let value): "\(name)(\(JSONWriter.compact(value)))"
        }
      return "\(text)@\(Double(time) / 1e6)"
    }
  }

  enum What: Equatable {
    case value(Value)
    case finished
    case failure(Value)
    /// A function that was called, or a hook.
    case told(String, Value)
  }

  var events: [Entry] = []
  var calls: [Entry] = []
  var hooks: [Entry] = []

  var values: [Value] { events.compactMap { if case .value(let value) = $0.what { value } else { nil } } }
  /// The milliseconds at which something was said.
  var times: [Double] { events.map { Double($0.time) / 1e6 } }

  var description: String {
    "\(events.map(\.description).joined(separator: " "))\n  calls \(calls) hooks \(hooks)"
  }
}

extension Value {
  /// Without the words of failures: their codes are compared, for only one side has words.
  var withoutWords: Value {
    switch self {
    case .list(let elements): return .list(elements.map(\.withoutWords))
    case .map(let map):
      let isFailure = map["code"] != nil && map["message"] != nil
      return .map(
        ValueMap(map.pairs.filter { !isFailure || $0.0 != "message" }.map { ($0, $1.withoutWords) }))
    default: return self
    }
  }
}
