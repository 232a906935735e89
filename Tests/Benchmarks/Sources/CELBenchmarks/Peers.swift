import CEL
@_spi(Engine) import StreamCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

// The part of this package that `Peers/cel_peers.py` measures: it names the workloads, and this process replies on
// standard output.

/// An expression with the types of its variables, and one row of values for each evaluation.
struct Workload {
  let name: String
  let expression: CELExpression
  let environment: ExpressionEnvironment
  let width: Int
  /// The values of all rows, one row after the other.
  let values: [Value]

  var rowCount: Int { values.count / width }

  init?(_ json: Value) {
    guard case .map(let map) = json, case .string(let name)? = map["name"], case .string(let text)? = map["expression"],
      case .list(let variables)? = map["variables"], case .list(let rows)? = map["rows"]
    else { return nil }
    self.name = name
    expression = CELExpression(text)
    environment = ExpressionEnvironment(
      variables: variables.compactMap { variable in
        guard case .list(let pair) = variable, case .string(let name) = pair[0], case .string(let type) = pair[1]
        else { return nil }
        return CELType(parsing: type).map { Variable(name, $0) }
      })
    width = variables.count
    values = rows.flatMap { row in if case .list(let row) = row { row.elements } else { [Value]() } }
    guard environment.variables.count == width, values.count == width * rows.count else { return nil }
  }

  func plan() -> Plan {
    do { return try expression.plan(in: environment) } catch { preconditionFailure("\(expression.text): \(error)") }
  }
}

// The loops are functions of their own: in a closure that escapes, the plan's references would be counted each time.

@inline(never) private func evaluateAll(_ plan: Plan, _ activations: [Activation], _ rounds: Int) {
  let unmanaged = activations.map(Unmanaged.passUnretained)
  withExtendedLifetime(activations) {
    for _ in 0..<rounds {
      for activation in unmanaged { _ = opaque(activation._withUnsafeGuaranteedRef { evaluate(plan, $0) }) }
    }
  }
}

@inline(__always) private func setAndEvaluateAll(
  _ plan: Plan, _ activation: Activation, _ values: [Value], _ width: Int, rounds: Int, _ body: (Value) -> Void
) {
  values.withUnsafeBufferPointer { values in
    for _ in 0..<rounds {
      var place = 0
      while place < values.count {
        for slot in 0..<width { activation.set(values[place + slot], at: slot) }
        body(evaluate(plan, activation))
        place += width
      }
    }
  }
}

/// A measured program. It returns its values for all rows, and can evaluate them many times.
struct Peer {
  let answers: () -> [Value]
  let run: (_ rounds: Int) -> Void

  /// The expression, planned once, evaluated with activations made beforehand, one for each row.
  static func evaluating(_ workload: Workload) -> Peer {
    let plan = workload.plan()
    let activations = (0..<workload.rowCount).map { row in
      let activation = Activation(slotCount: workload.width)
      for slot in 0..<workload.width { activation.set(workload.values[row * workload.width + slot], at: slot) }
      return activation
    }
    return Peer(
      answers: { activations.map { evaluate(plan, $0) } },
      run: { rounds in evaluateAll(plan, activations, rounds) })
  }

  /// The expression, planned once, evaluated with one activation that is given each row's values.
  static func settingAndEvaluating(_ workload: Workload) -> Peer {
    let plan = workload.plan()
    let activation = Activation(slotCount: workload.width)
    return Peer(
      answers: {
        var answers: [Value] = []
        setAndEvaluateAll(plan, activation, workload.values, workload.width, rounds: 1) { answers.append($0) }
        return answers
      },
      run: { rounds in
        setAndEvaluateAll(plan, activation, workload.values, workload.width, rounds: rounds) { _ = opaque($0) }
      })
  }

  /// The expression parsed, checked and planned, once for each row.
  static func planning(_ workload: Workload) -> Peer {
    Peer(
      answers: evaluating(workload).answers,
      run: { rounds in
        for _ in 0..<(rounds * workload.rowCount) { _ = opaque(workload.plan()) }
      })
  }

  /// A Swift closure over Swift's own types.
  private static func closure<Input, Output>(
    _ rows: [Input], _ value: (Output) -> Value, _ body: @escaping (Input) -> Output
  ) -> Peer {
    let body = opaque(body)
    let answers = rows.map { value(body($0)) }
    return Peer(
      answers: { answers },
      run: { rounds in
        for _ in 0..<rounds {
          for row in rows { _ = opaque(body(row)) }
        }
      })
  }

  /// The equivalent Swift code; nil if there is none.
  static func byHand(_ workload: Workload) -> Peer? {
    let values = workload.values
    switch workload.name {
    case "sum":
      let rows = stride(from: 0, to: values.count, by: 2).map { (int(values[$0]), int(values[$0 + 1])) }
      return closure(rows, Value.int) { $0.0 * 2 + $0.1 }
    case "field":
      return closure(values.map(Tilt.init), Value.string) { $0.z > 0.25 ? "tiltedDown" : "notTilted" }
    case "filter":
      return closure(values.map(ints), { .list($0.map(Value.int)) }) { $0.filter { $0 % 3 == 0 && $0 > 50 } }
    case "text":
      return closure(values.map(text), Value.string) {
        $0.hasPrefix("us7000") && $0.contains("-mag-") && !$0.hasSuffix("deleted")
          ? $0 + ":" + String($0.unicodeScalars.count) : ""
      }
    case "pattern":
      let pattern = opaque(/^[a-z]+-[0-9]{4}$/)
      return closure(values.map(text), Value.bool) { $0.firstMatch(of: pattern) != nil }
    default: return nil
    }
  }
}

private struct Tilt {
  let x, y, z: Double

  init(_ value: Value) {
    guard case .map(let map) = value, case .double(let x)? = map["x"], case .double(let y)? = map["y"],
      case .double(let z)? = map["z"]
    else { preconditionFailure("a tilt has three doubles") }
    (self.x, self.y, self.z) = (x, y, z)
  }
}

private func int(_ value: Value) -> Int64 {
  guard case .int(let number) = value else { preconditionFailure("\(value) is no int") }
  return number
}

private func ints(_ value: Value) -> [Int64] {
  guard case .list(let list) = value else { preconditionFailure("\(value) is no list") }
  return list.map(int)
}

private func text(_ value: Value) -> String {
  guard case .string(let text) = value else { preconditionFailure("\(value) is no text") }
  return text
}

/// Serves `Peers/cel_peers.py`: one JSON line in, one line out.
///
/// The first line is the list of workloads. Then `["answers", workload, peer]` gives a list of values, or null where
/// this peer has nothing for this workload, and `["measure", workload, peer, seconds]` nanoseconds for each row.
func serve() {
  var reader = JSONReader()
  var peers: [String: Peer] = [:]
  var workloads: [Workload] = []
  while let line = readLine() {
    guard case .list(let request)? = try? reader.read(line) else { preconditionFailure("no request: \(line)") }
    if workloads.isEmpty {
      workloads = request.compactMap(Workload.init)
      precondition(workloads.count == request.count, "every workload can be read")
      for workload in workloads {
        let isPlanning = workload.name == "plan"
        peers["\(workload.name) ours"] = isPlanning ? .planning(workload) : .evaluating(workload)
        peers["\(workload.name) ours set"] = isPlanning ? nil : .settingAndEvaluating(workload)
        peers["\(workload.name) closure"] = .byHand(workload)
      }
      continue
    }
    let names = (text(request[1]), text(request[2]))
    let peer = peers["\(names.0) \(names.1)"]
    if text(request[0]) == "answers" {
      print(JSONWriter.compact(peer.map { .list($0.answers()) } ?? .null))
    } else if let peer, case .double(let seconds) = request[3],
      let workload = workloads.first(where: { $0.name == names.0 })
    {
      print(nanoseconds(seconds: seconds, peer.run) / Double(workload.rowCount))
    }
    fflush(nil)
  }
}
