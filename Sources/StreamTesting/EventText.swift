internal import StreamCore
public import StreamEngine
public import StreamKit

// Events as text: what tests compare, and what they print when they fail.

/// How much of an event its text says.
public enum EventDetail: Sendable {
  /// Failures by their code, calls and hooks by their name.
  case codes
  /// Failures by their message, calls and hooks with their argument.
  case messages
  /// Everything: of a failure the code, the message, the place, the value and the payload.
  case all
}

extension ExecutionEvent {
  /// The event in one line: a value as compact JSON, `|` for the end, `#…` for a failure, `skipped …` for a skipped
  /// one, `call …` for a call of a host function, `note …` for a message to a hook.
  public func text(_ detail: EventDetail = .codes) -> String {
    switch self {
    case .value(let value): value.json(detail)
    case .finished: "|"
    case .failure(let failure): "#\(failure.text(detail))"
    case .skipped(let failure): "skipped \(failure.text(detail))"
    case .call(let call):
      switch detail {
      case .codes: "call \(call.function)"
      case .messages: "call \(call.function) \(call.argument.json(detail))"
      case .all: "\(self)"
      }
    case .noted(let note):
      switch detail {
      case .codes: "note \(note.name)"
      case .messages: "note \(note.name) \(note.message.json(detail))"
      case .all: "\(self)"
      }
    }
  }
}

extension History.Event {
  /// The event's text and its time in milliseconds, as `value@time`.
  public func text(_ detail: EventDetail = .codes) -> String {
    let (whole, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return "\(event.text(detail))@\(rest == 0 ? "\(whole)" : "\(Double(time.nanoseconds) / 1e6)")"
  }
}

extension History {
  /// The texts of all events.
  public func texts(_ detail: EventDetail = .codes) -> [String] { events.map { $0.text(detail) } }
}

extension StreamFailure {
  fileprivate func text(_ detail: EventDetail) -> String {
    switch detail {
    case .codes: return code
    case .messages: return message
    case .all:
      let range = range.map { "\($0)" } ?? "nowhere"
      let (value, payload) = ((value ?? .null).json(detail), (payload ?? .null).json(detail))
      return "\(code) \(message) at \(pointer) \(range) for \(value) with \(payload)"
    }
  }
}

extension Value {
  /// Compact JSON. With all detail a double has all its digits.
  fileprivate func json(_ detail: EventDetail) -> String {
    switch self {
    case .double(let number) where detail == .all: number.isNaN ? "NaN" : "\(number)"
    default: JSONWriter.compact(self)
    }
  }
}
