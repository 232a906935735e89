import CEL
import StreamCore
import StreamEngine

/// Compares what a stream said with what a vector expects.
struct VectorComparison {
  /// The events of a subscriber.
  struct Heard {
    let time: Double
    var what: What
  }

  enum What {
    case value(Value)
    /// A stream that was published, with what it said.
    case part([Heard])
    case finished
    case failure(StreamFailure)
  }

  /// The first difference, or nil.
  static func difference(_ expected: [VectorEvent], _ heard: [Heard]) -> String? {
    for index in 0..<max(expected.count, heard.count) {
      let wanted = index < expected.count ? expected[index] : nil
      let found = index < heard.count ? heard[index] : nil
      if let wanted, let found, isAlike(wanted, found) { continue }
      return "event \(index): expected \(wanted.map(text) ?? "nothing more"), got \(found.map(text) ?? "nothing more")"
    }
    return nil
  }

  private static func isAlike(_ wanted: VectorEvent, _ found: Heard) -> Bool {
    guard abs(wanted.time - found.time) < 1e-6 else { return false }
    switch (wanted.kind, found.what) {
    case (.next(let value), .value(let actual)): return isAlike(value, actual)
    case (.next(let value), .part(let events)):
      guard let stream = value.field("$stream") else { return false }
      guard let expected = try? stream.elements.map(VectorEvent.init) else { return false }
      return difference(expected, events.map { Heard(time: $0.time - found.time, what: $0.what) }) == nil
    case (.error(let error), .failure(let failure)):
      if isAlike(error, failure.errorValue) { return true }
      return FailureNames.isCalled(error, failure)
    case (.complete, .finished): return true
    default: return false
    }
  }

  /// JavaScript has one kind of number.
  private static func isAlike(_ wanted: Value, _ actual: Value) -> Bool {
    switch (wanted, actual) {
    case (.list(let a), .list(let b)): return a.count == b.count && zip(a, b).allSatisfy(isAlike)
    case (.map(let a), .map(let b)):
      return a.count == b.count
        && a.pairs.allSatisfy { key, value in b[key].map { isAlike(value, $0) } ?? false }
    case (.map, _):
      if let moment = wanted.field("$at")?.number {
        return actual == .timestamp(VectorTranslator.timestamp(moment))
      }
      guard let number = wanted.number, let other = actual.number else { return false }
      return number == other || (number.isNaN && other.isNaN)
    default:
      if let a = wanted.number, let b = actual.number { return a == b || (a.isNaN && b.isNaN) }
      return wanted == actual
    }
  }

  static func text(_ event: VectorEvent) -> String {
    switch event.kind {
    case .next(let value): "\(JSONWriter.compact(value)) at \(short(event.time))"
    case .error(let error): "failure \(JSONWriter.compact(error)) at \(short(event.time))"
    case .complete: "the end at \(short(event.time))"
    }
  }

  static func text(_ heard: Heard) -> String {
    switch heard.what {
    case .value(let value): "\(JSONWriter.compact(value)) at \(short(heard.time))"
    case .part(let events): "a stream [\(events.map(text).joined(separator: ", "))] at \(short(heard.time))"
    case .finished: "the end at \(short(heard.time))"
    case .failure(let failure):
      "failure \(JSONWriter.compact(failure.errorValue)) (\(failure.code): \(failure.message)) at \(short(heard.time))"
    }
  }

  private static func short(_ time: Double) -> String { "\((time * 1000).rounded() / 1000)" }
}

/// RxJS's names for failures that are not from the stream file.
enum FailureNames {
  static func isCalled(_ error: Value, _ failure: StreamFailure) -> Bool {
    guard failure.payload == nil, let name = error.field("name")?.text else { return false }
    return names.contains { name == $0.name && failure.code == $0.code && failure.message.contains($0.words) }
  }

  private static let names: [(name: String, code: String, words: String)] = [
    ("SequenceError", "S407", "found a second value"),
    ("EmptyError", "S407", "'single' found no value"),
    ("NotFoundError", "S407", "'single' found no value"),
  ]
}
