import StreamCore

/// The cost of a call in steps, as a function of the sizes of its arguments. It is charged before the function runs.
///
/// A step is at most 10 ns of work. A function whose work exceeds this cost, because it searches or builds a longer
/// result, charges the rest while it runs.
///
/// The rates were measured; `CELBenchmarks costs` measures them again for every function of the catalogue.
struct FunctionCost: Sendable {
  /// Number of steps for 1024 bytes of a string or of a byte sequence.
  let perKilobyte: Int
  /// Number of steps for each element of a list and each entry of a map.
  let perElement: Int
  /// Number of steps for every call, in addition to the step of every node: allocations, and work on values of a fixed
  /// size.
  var perCall = 0

  /// The time does not depend on the sizes of the arguments.
  static let constant = FunctionCost(perKilobyte: 0, perElement: 0)
  /// The function visits each byte and each element once. The default.
  static let linear = FunctionCost(perKilobyte: 512, perElement: 4)

  /// The function visits each byte in a loop that handles this number of bytes in a step, and each element once.
  static func bytes(perStep: Int) -> FunctionCost { FunctionCost(perKilobyte: 1024 / perStep, perElement: 4) }

  /// The function visits each byte of a string, this number of them in a step; the sizes of other values do not matter.
  static func textBytes(perStep: Int) -> FunctionCost { FunctionCost(perKilobyte: 1024 / perStep, perElement: 0) }

  /// The function takes this number of steps for each byte, and visits each element once.
  static func steps(perByte: Int) -> FunctionCost { FunctionCost(perKilobyte: 1024 * perByte, perElement: 4) }

  /// Returns the same cost with a number of steps for every call.
  func plus(perCall steps: Int) -> FunctionCost {
    var cost = self
    cost.perCall = steps
    return cost
  }

  /// Returns the number of steps for one argument.
  @inline(__always)
  func steps(for argument: Value) -> Int {
    switch argument {
    case .string(let text): (text.utf8.count &* perKilobyte) >> 10
    case .bytes(let bytes): (bytes.count &* perKilobyte) >> 10
    case .list(let elements): elements.count &* perElement
    case .map(let map): map.count &* perElement
    default: 0
    }
  }
}

extension Activation {
  /// Charges for a call with this argument.
  @inline(__always)
  func charge(_ cost: FunctionCost, _ argument: Value) throws(EvaluationError) {
    let steps = cost.perCall &+ cost.steps(for: argument)
    if steps > 0 { try charge(steps) }
  }

  /// Charges for a call with these arguments.
  @inline(__always)
  func charge(_ cost: FunctionCost, _ first: Value, _ second: Value) throws(EvaluationError) {
    let steps = cost.perCall &+ cost.steps(for: first) &+ cost.steps(for: second)
    if steps > 0 { try charge(steps) }
  }

  /// Charges for a call with these arguments.
  func charge(_ cost: FunctionCost, _ arguments: [Value]) throws(EvaluationError) {
    let steps = arguments.reduce(cost.perCall) { $0 &+ cost.steps(for: $1) }
    if steps > 0 { try charge(steps) }
  }

  /// Charges for reading this number of consecutive bytes, as a copy or a comparison does.
  @inline(__always)
  func charge(bytes count: Int) throws(EvaluationError) { try charge(count >> 4) }

  /// Charges for hashing a key and comparing it.
  @inline(__always)
  func charge(key: Value) throws(EvaluationError) {
    switch key {
    case .string(let text): try charge(text.utf8.count >> 1)
    case .bytes(let bytes): try charge(bytes.count)
    default: break
    }
  }

  /// Returns the value of a key in a map, and charges for the lookup; nil if there is none.
  ///
  /// NB: Lists and maps are never keys of maps and are not hashed: if they share their elements, they may be
  /// exponentially larger than their storage.
  func value(of key: Value, in map: ValueMap) throws(EvaluationError) -> Value? {
    switch key {
    case .list, .map, .opaque: return nil
    default:
      try charge(key: key)
      return map[key]
    }
  }

  /// Charges for creating a map entry: its key is hashed for the check, for the map and for the map's shape.
  func chargeEntry(_ key: Value) throws(EvaluationError) {
    try charge(160)
    if case .string(let text) = key { try charge(text.utf8.count) }
  }

  /// Charges for an error that does not end the evaluation.
  func chargeError() throws(EvaluationError) { try charge(200) }
}
