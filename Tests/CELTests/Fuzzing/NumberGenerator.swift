import StreamTesting

/// Writes expressions over numbers and bools at random: such as columns compute, with choices whose arms are equal,
/// constant or choices themselves, and here and there a part that overflows or fails.
struct NumberGenerator {
  enum Kind: CaseIterable { case int, double, bool }

  var random: SeededGenerator
  /// The variables of each kind.
  var names: [Kind: [String]] = [:]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func next() -> String { expression(pick([.int, .int, .double, .bool]), 1 + random.below(4)) }

  private mutating func pick<Element>(_ choices: [Element]) -> Element { choices[random.below(choices.count)] }

  private mutating func expression(_ kind: Kind, _ depth: Int) -> String {
    guard depth > 0 else { return leaf(kind) }
    let d = depth - 1
    if random.below(4) == 0 { return choice(kind, d) }
    switch kind {
    case .int:
      switch random.below(10) {
      case 0: return "-(\(expression(.int, d)))"
      case 1, 2: return "(\(expression(.int, d)) \(pick(["/", "%"])) \(pick([2, 3, 7, 8, -10])))"
      case 3: return "math.abs(\(expression(.int, d)))"
      case 4: return random.below(3) == 0 ? "(100 / \(expression(.int, d)))" : leaf(.int)
      default: return "(\(expression(.int, d)) \(pick(["+", "-", "*"])) \(expression(.int, d)))"
      }
    case .double:
      switch random.below(6) {
      case 0: return "double(\(expression(.int, d)))"
      case 1: return "math.\(pick(["ceil", "floor", "round", "trunc", "sqrt", "abs"]))(\(expression(.double, d)))"
      default: return "(\(expression(.double, d)) \(pick(["+", "-", "*", "/"])) \(expression(.double, d)))"
      }
    case .bool:
      let compared: Kind = pick([.int, .int, .double])
      switch random.below(6) {
      case 0: return "!(\(expression(.bool, d)))"
      case 1: return "(\(expression(.bool, d)) \(pick(["&&", "||"])) \(expression(.bool, d)))"
      default:
        let comparison = pick(["<", "<=", ">", ">=", "==", "!="])
        return "(\(expression(compared, d)) \(comparison) \(expression(compared, d)))"
      }
    }
  }

  private mutating func choice(_ kind: Kind, _ d: Int) -> String {
    let first = expression(kind, d)
    let second =
      switch random.below(5) {
      case 0, 1: first
      case 2: constant(kind)
      default: expression(kind, d)
      }
    return "(\(expression(.bool, d)) ? \(first) : \(second))"
  }

  private mutating func leaf(_ kind: Kind) -> String {
    guard let names = names[kind], random.below(4) > 0 else { return constant(kind) }
    return pick(names)
  }

  private mutating func constant(_ kind: Kind) -> String {
    switch kind {
    case .int: pick(["0", "1", "2", "5", "-3", "17", "40", "4611686018427387"])
    case .double: pick(["0.0", "0.25", "1.5", "-8.0", "1e18"])
    case .bool: pick(["true", "false"])
    }
  }
}
