import StreamCore

/// The inputs of a system, and the results of its host's functions.
struct Script: CustomStringConvertible {
  /// A value that an input is given.
  struct Step {
    /// Milliseconds since the start.
    var time: Int
    var input: String
    var value: Value
  }

  /// A result of a host function.
  struct Answer {
    /// Milliseconds until it comes.
    var delay = 0
    var result: Result<Value, HostFailure>

    static func value(_ value: Value, after delay: Int = 0) -> Answer { Answer(delay: delay, result: .success(value)) }
    static func failure(_ error: Value, after delay: Int = 0) -> Answer {
      Answer(delay: delay, result: .failure(HostFailure(error: error)))
    }
  }

  var steps: [Step] = []
  /// The results of each function, in the order of its calls. After the last result, the first one is used again.
  var answers: [String: [Answer]] = [:]

  /// - Parameter inputs: by name, what is sent and at which millisecond.
  init(_ inputs: KeyValuePairs<String, [(Int, Value)]> = [:], answers: [String: [Answer]] = [:]) {
    let steps = inputs.flatMap { input in input.value.map { Step(time: $0.0, input: input.key, value: $0.1) } }
    self.steps = steps.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
    self.answers = answers
  }

  /// Sends one value more, no earlier than all that is sent already.
  mutating func add(_ value: Value, to input: String, at time: Int) {
    steps.append(Step(time: time, input: input, value: value))
  }

  var description: String {
    let lines = steps.map { "\($0.time) \($0.input) \(JSONWriter.compact($0.value))" }
    let calls = answers.sorted { $0.key < $1.key }.map { name, answers in
      "\(name): "
        + answers.map { answer in
          switch answer.result {
          case .success(let value): "\(JSONWriter.compact(value))+\(answer.delay)"
          case .failure(let failure): "#\(JSONWriter.compact(failure.error))+\(answer.delay)"
          }
        }.joined(separator: ", ")
    }
    return (lines + calls).joined(separator: "\n")
  }
}

/// A failure of a function of the host.
struct HostFailure: Error, Hashable {
  let error: Value
}

/// The host that a script describes: each of the two sides has one of its own.
final class ScriptedHost {
  private let script: Script
  private var counts: [String: Int] = [:]
  /// Functions that a test answers itself.
  var functions: [String: (Value) -> Script.Answer] = [:]
  /// Hooks that a test receives.
  var hooks: [String: (Value) -> Void] = [:]

  init(_ script: Script) { self.script = script }

  /// The result of the next call of a function; nil if it has no result.
  func answer(_ function: String, _ argument: Value) -> Script.Answer? {
    if let function = functions[function] { return function(argument) }
    guard let answers = script.answers[function], !answers.isEmpty else { return nil }
    let count = counts[function, default: 0]
    counts[function] = count + 1
    return answers[count % answers.count]
  }
}
