import StreamCore

/// The steps that a call costs, as a function of the sizes of its arguments. They are charged before the function runs.
///
/// A step stands for at most 10 ns of work. A function that works longer than its arguments tell, because it searches or
/// builds a longer result, charges the rest while it works.
///
/// The rates were measured; `CELBenchmarks costs` measures them again for every function of the catalogue.
struct FunctionCost: Sendable {
  /// Steps for 1024 bytes of a string or of a byte sequence.
  let perKilobyte: Int
  /// Steps for each element of a list and each entry of a map.
  let perElement: Int

  /// The function takes the same time whatever the sizes of its arguments are.
  static let constant = FunctionCost(perKilobyte: 0, perElement: 0)
  /// The function visits each byte and each element once. The default.
  static let linear = FunctionCost(perKilobyte: 512, perElement: 4)

  /// The function visits each byte in a loop that handles this number of bytes in a step, and each element once.
  static func bytes(perStep: Int) -> FunctionCost { FunctionCost(perKilobyte: 1024 / perStep, perElement: 4) }

  /// The function visits each byte of a string, this number of them in a step; the sizes of other values do not matter.
  static func textBytes(perStep: Int) -> FunctionCost { FunctionCost(perKilobyte: 1024 / perStep, perElement: 0) }

  /// The function takes this number of steps for each byte, and visits each element once.
  static func steps(perByte: Int) -> FunctionCost { FunctionCost(perKilobyte: 1024 * perByte, perElement: 4) }

  /// The steps for one argument.
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
  /// Pays for a call with this argument.
  @inline(__always)
  func charge(_ cost: FunctionCost, _ argument: Value) throws(EvaluationError) {
    let steps = cost.steps(for: argument)
    if steps > 0 { try charge(steps) }
  }

  /// Pays for reading this number of bytes in one go, as a copy or a comparison does.
  @inline(__always)
  func charge(bytes count: Int) throws(EvaluationError) { try charge(count >> 4) }

  /// Pays for hashing a key, and for comparing it.
  @inline(__always)
  func charge(key: Value) throws(EvaluationError) {
    switch key {
    case .string(let text): try charge(text.utf8.count >> 1)
    case .bytes(let bytes): try charge(bytes.count)
    default: break
    }
  }

  /// The value of a key in a map, for which it pays.
  ///
  /// NB: lists and maps are no keys of maps, and are not hashed: they may hold one another so often that they seem
  /// endless.
  func value(of key: Value, in map: ValueMap) throws(EvaluationError) -> Value? {
    switch key {
    case .list, .map, .opaque: return nil
    default:
      try charge(key: key)
      return map[key]
    }
  }

  /// Pays for making a map's entry: its key is hashed when it is checked, when the map is made and for its shape.
  func chargeEntry(_ key: Value) throws(EvaluationError) {
    try charge(160)
    if case .string(let text) = key { try charge(text.utf8.count) }
  }

  /// Pays for an error that does not end the evaluation.
  func chargeError() throws(EvaluationError) { try charge(200) }
}
