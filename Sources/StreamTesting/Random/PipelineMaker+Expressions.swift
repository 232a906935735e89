extension PipelineMaker {
  /// The text of an expression of a kind over the names in scope.
  mutating func expression(_ kind: Kind, depth: Int) -> String {
    switch kind {
    case .int: int(depth)
    case .double: double(depth)
    case .bool: bool(depth)
    case .record: "value"
    }
  }

  private mutating func name(_ kind: Kind) -> String? {
    let fitting = names.filter { $0.kind == kind }
    return fitting.isEmpty ? nil : generator.pick(fitting).name
  }

  /// A choice: one in three has two arms that are the same or differ in nothing but a constant.
  private mutating func choice(_ kind: Kind, _ depth: Int) -> String {
    let first = expression(kind, depth: depth - 1)
    let second =
      switch generator.below(6) {
      case 0, 1: first
      case 2: constant(kind)
      default: expression(kind, depth: depth - 1)
      }
    return "(\(bool(depth - 1)) ? \(first) : \(second))"
  }

  private mutating func constant(_ kind: Kind) -> String {
    switch kind {
    case .int: number()
    case .double: generator.pick(["0.25", "2.0", "-1.5", "0.0", "100.0", "1e18"])
    default: generator.pick(["true", "false"])
    }
  }

  private mutating func number() -> String {
    if generator.happens(oneIn: isPlain ? 200 : 40) {
      return generator.pick(["9223372036854775807", "4611686018427387", "3037000500", "-9007199254740993"])
    }
    return "\(generator.below(24) - 4)"
  }

  // MARK: Kinds

  private mutating func int(_ depth: Int) -> String {
    guard depth > 0 else {
      if generator.below(4) > 0, let name = name(.int) { return name }
      if generator.happens(oneIn: 8), let name = name(.bool) { return "(\(name) ? 1 : 0)" }
      if !isPlain, generator.happens(oneIn: 6), let name = name(.double) { return "int(\(name))" }
      return number()
    }
    switch generator.below(16) {
    case 0, 1, 2: return choice(.int, depth)
    case 3: return "(-\(int(depth - 1)))"
    case 4: return "(\(int(depth - 1)) / \(generator.pick([2, 3, 7, 10, -5, 64])))"
    case 5, 6: return "(\(int(depth - 1)) % \(generator.pick([2, 3, 5, 8, 10, 17])))"
    case 7: return "(\(int(depth - 1)) * \(number()))"
    case 8:
      return generator.happens(oneIn: isPlain ? 8 : 3) ? "(100 / \(int(depth - 1)))" : "math.abs(\(int(depth - 1)))"
    case 9 where !isPlain || generator.happens(oneIn: 3): return "(\(int(depth - 1)) * \(int(depth - 1)))"
    case 10, 11: return "(\(int(depth - 1)) - \(int(depth - 1)))"
    case 12: return int(0)
    default: return "(\(int(depth - 1)) + \(int(depth - 1)))"
    }
  }

  private mutating func double(_ depth: Int) -> String {
    guard depth > 0 else {
      if generator.below(4) > 0, let name = name(.double) { return name }
      if let name = name(.int) { return "double(\(name))" }
      return constant(.double)
    }
    switch generator.below(10) {
    case 0, 1: return choice(.double, depth)
    case 2: return "(-\(double(depth - 1)))"
    case 3:
      let function = generator.pick(["abs", "sqrt", "floor", "ceil", "round", "trunc"])
      return "math.\(function)(\(double(depth - 1)))"
    case 4: return "(\(double(depth - 1)) / \(double(depth - 1)))"
    case 5: return "(\(double(depth - 1)) * \(constant(.double)))"
    case 6: return "(\(double(depth - 1)) - \(double(depth - 1)))"
    case 7: return "double(\(int(depth - 1)))"
    default: return "(\(double(depth - 1)) + \(double(depth - 1)))"
    }
  }

  private mutating func bool(_ depth: Int) -> String {
    if generator.happens(oneIn: 3), let name = name(.bool) { return name }
    guard depth > 0 else {
      guard let name = name(.int) else {
        return name(.double).map { "\($0) > \(constant(.double))" } ?? constant(.bool)
      }
      return "\(name) % \(2 + generator.below(16)) \(comparison()) \(generator.below(6))"
    }
    switch generator.below(10) {
    case 0: return "!(\(bool(depth - 1)))"
    case 1: return "(\(bool(depth - 1)) && \(bool(depth - 1)))"
    case 2: return "(\(bool(depth - 1)) || \(bool(depth - 1)))"
    case 3: return choice(.bool, depth)
    case 4: return "\(double(depth - 1)) \(comparison()) \(double(depth - 1))"
    case 5: return "\(int(depth - 1)) \(comparison()) \(int(depth - 1))"
    case 6: return "\(int(depth - 1)) \(comparison()) \(number())"
    default: return "\(int(depth - 1)) % \(2 + generator.below(16)) \(comparison()) \(generator.below(6))"
    }
  }

  private mutating func comparison() -> String { generator.pick(["<", "<=", ">", ">=", "==", "!="]) }
}
