import StreamTesting

/// Writes expressions at random: mostly such as have a type, now and then any, or text that is none.
struct ExpressionGenerator {
  enum Kind: CaseIterable { case int, uint, double, bool, string, list, map, optional, duration, any }

  var random: SeededGenerator
  /// The loops' variables that can be used.
  private var loopVariables: [String] = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// The next input.
  mutating func next() -> String {
    loopVariables = []
    let text = expression(pick(Kind.allCases), 1 + random.below(4))
    switch random.below(8) {
    case 0: return mutated(text)
    case 1 where random.below(4) == 0: return bytes()
    default: return text
    }
  }

  /// The next input of one of these kinds, as it was written.
  mutating func next(_ kinds: [Kind]) -> String {
    loopVariables = []
    return expression(pick(kinds), 1 + random.below(4))
  }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[random.below(choices.count)] }

  private mutating func expression(_ kind: Kind, _ depth: Int) -> String {
    let kind = random.below(24) == 0 ? pick(Kind.allCases) : kind
    if depth <= 0 { return leaf(kind) }
    let d = depth - 1
    if random.below(8) == 0 { return wrapper(kind, d) }
    switch kind {
    case .int: return int(d)
    case .uint: return pick(["u", "2u", "(u + 3u)", "uint(\(expression(.int, d)))", "math.abs(u)"])
    case .double: return double(d)
    case .bool: return bool(d)
    case .string: return string(d)
    case .list: return list(d)
    case .map: return map(d)
    case .optional: return optional(d)
    case .duration:
      return pick(["duration('90s')", "(t - t)", "(duration('1m') + duration('\(random.below(90))s'))"])
    case .any: return expression(pick(Kind.allCases), d)
    }
  }

  private mutating func leaf(_ kind: Kind) -> String {
    if let variable = loopVariables.last, random.below(3) == 0 { return variable }
    switch kind {
    case .int:
      return pick(["i", "0", "1", "-1", "7", "r.y", "9223372036854775807", "-9223372036854775808", "l[0]", "0x1F"])
    case .uint: return pick(["u", "0u", "1u", "18446744073709551615u"])
    case .double: return pick(["d", "0.0", "1.5", "-2.25", "1e300", "r.x", "-0.0", "0.1"])
    case .bool: return pick(["b", "true", "false", "has(r.x)", "has(m.k)", "m.flag"])
    case .string: return pick(["s", "''", "'a'", "'hello'", "r.name", "'ä€😀'", "'[a-c]+'", "'1'"])
    case .list: return pick(["l", "[]", "[1]", "[1, 2.0, 'x']", "[i, i]", "v"])
    case .map: return pick(["m", "{}", "r", "{'a': 1}", "{1: 'x', true: 2}", "{'x': d, 'y': i}"])
    case .optional: return pick(["optional.none()", "optional.of(i)", "m.?k", "l[?0]", "r.?x"])
    case .duration: return "duration('1h')"
    case .any: return pick(["v", "null", "int", "b'\\x00a'", "t", "now()", "q", "zz"])
    }
  }

  /// An expression around a value of any kind.
  private mutating func wrapper(_ kind: Kind, _ d: Int) -> String {
    let inner = expression(kind, d)
    switch random.below(7) {
    case 0: return "(\(expression(.bool, d)) ? \(inner) : \(expression(kind, d)))"
    case 1: return "dyn(\(inner))"
    case 2: return "[\(inner), \(expression(kind, d))][\(random.below(3))]"
    case 3: return "{'k': \(inner)}.k"
    case 4: return "cel.bind(z, \(expression(.any, d)), \(within("z") { $0.expression(kind, d) }))"
    case 5: return "optional.of(\(inner)).orValue(\(expression(kind, d)))"
    default: return "\(expression(.list, d)).map(e, \(within("e") { $0.expression(kind, d) }))[\(random.below(2))]"
    }
  }

  private mutating func within(_ variable: String, _ body: (inout Self) -> String) -> String {
    loopVariables.append(variable)
    defer { loopVariables.removeLast() }
    return body(&self)
  }

  private mutating func int(_ d: Int) -> String {
    switch random.below(8) {
    case 0: return "size(\(expression(pick([.string, .list, .map]), d)))"
    case 1: return "int(\(expression(pick([.double, .uint, .string]), d)))"
    case 2: return "-(\(expression(.int, d)))"
    case 3: return "math.\(pick(["abs", "sign", "bitNot"]))(\(expression(.int, d)))"
    case 4: return "\(expression(pick([.string, .list]), d)).indexOf(\(expression(.string, d)))"
    case 5:
      let (first, step) = (pick([Kind.int, .any]), pick([Kind.int, .any]))
      return "\(expression(.list, d)).fold(y, e, \(expression(first, d)), "
        + "\(within("y") { $0.within("e") { $0.expression(step, d) } }))"
    default:
      return "(\(expression(.int, d)) \(pick(["+", "-", "*", "/", "%"])) \(expression(.int, d)))"
    }
  }

  private mutating func double(_ d: Int) -> String {
    switch random.below(8) {
    case 0: return "double(\(expression(pick([.int, .string, .uint]), d)))"
    case 1: return "math.\(pick(["ceil", "floor", "round", "trunc", "sqrt"]))(\(expression(pick([.double, .int]), d)))"
    case 2: return "-(\(expression(.double, d)))"
    case 3: return "round(\(expression(.double, d)), \(random.below(4)))"
    case 4: return "\(expression(.list, d)).\(pick(["average", "min", "max", "isSorted"]))()"
    case 5: return "math.pow(\(expression(.double, d)), \(expression(.int, d)))"
    default:
      return
        "(\(expression(.double, d)) \(pick(["+", "-", "*", "/", "%"])) \(expression(pick([.double, .int, .uint]), d)))"
    }
  }

  private mutating func bool(_ d: Int) -> String {
    let kind = pick(Kind.allCases)
    switch random.below(11) {
    case 0: return "!\(expression(.bool, d))"
    case 1: return "(\(expression(.bool, d)) && \(expression(.bool, d)))"
    case 2: return "(\(expression(.bool, d)) || \(expression(.bool, d)))"
    case 3: return "(\(expression(kind, d)) \(pick(["==", "!="])) \(expression(kind, d)))"
    case 4: return "\(expression(.any, d)) in \(expression(pick([.list, .map]), d))"
    case 5:
      return
        "\(expression(.list, d)).\(pick(["all", "exists", "exists_one"]))(e, \(within("e") { $0.expression(.bool, d) }))"
    case 6:
      return "\(expression(pick([.map, .list]), d)).\(pick(["all", "exists", "existsOne"]))(k, w, "
        + "\(within("k") { $0.within("w") { $0.expression(.bool, d) } }))"
    case 7:
      return
        "\(expression(.string, d)).\(pick(["contains", "startsWith", "endsWith", "matches"]))(\(expression(.string, d)))"
    case 8: return "has(\(expression(.map, d)).\(pick(["x", "k", "a"])))"
    default:
      let number = pick([Kind.int, .double, .uint, .string])
      return "(\(expression(number, d)) \(pick(["<", "<=", ">", ">="])) \(expression(number, d)))"
    }
  }

  private mutating func string(_ d: Int) -> String {
    switch random.below(9) {
    case 8: return "sha256(\(pick([expression(.string, d), "bytes(\(expression(.string, d)))", "b'\\x00\\xff'"])))"
    case 7:
      let pattern = pick(["'[a-c]+'", "'(l|o)*'", "'.?'", "'a|b$'", "'\\\\bh'", "'(?i)H(.)'"])
      return "regex.replace(\(expression(.string, d)), \(pattern), \(pick(["'<\\\\0>'", "'x'"])))"
    case 0: return "string(\(expression(pick([.int, .double, .bool, .uint, .duration]), d)))"
    case 1: return "(\(expression(.string, d)) + \(expression(.string, d)))"
    case 2: return "\(expression(.string, d)).\(pick(["upperAscii", "reverse", "trim", "lowercased", "uppercased"]))()"
    case 3: return "\(expression(.string, d)).substring(\(random.below(4)))"
    case 4: return "'%s %d'.format([\(expression(.any, d)), \(expression(.int, d))])"
    case 5: return "\(expression(.string, d)).replace(\(expression(.string, d)), 'b')"
    default: return "toJSON(\(expression(.any, d)))"
    }
  }

  private mutating func list(_ d: Int) -> String {
    switch random.below(9) {
    case 0: return "(\(expression(.list, d)) + \(expression(.list, d)))"
    case 1: return "\(expression(pick([.list, .map]), d)).map(e, \(within("e") { $0.expression(.any, d) }))"
    case 2: return "\(expression(.list, d)).filter(e, \(within("e") { $0.expression(.bool, d) }))"
    case 3:
      return "\(expression(pick([.list, .map]), d)).transformList(k, w, "
        + "\(within("k") { $0.within("w") { $0.expression(.bool, d) } }), \(within("w") { $0.expression(.any, d) }))"
    case 4: return "[\(expression(.any, d)), ?\(expression(.optional, d))]"
    case 5: return "\(expression(.list, d)).\(pick(["sort", "distinct", "reverse", "flatten"]))()"
    case 6:
      return "\(expression(.list, d)).\(pick(["sortBy", "groupBy"]))(e, \(within("e") { $0.expression(.int, d) }))"
    case 7: return "\(expression(.string, d)).split(\(expression(.string, d)))"
    default: return "[\(expression(.int, d)), \(expression(.int, d))]"
    }
  }

  private mutating func map(_ d: Int) -> String {
    switch random.below(7) {
    case 0: return "{'a': \(expression(.any, d)), 'x': \(expression(.double, d))}"
    case 1: return "{\(expression(.any, d)): \(expression(.any, d)), ?'k': \(expression(.optional, d))}"
    case 2:
      return "\(expression(pick([.list, .map]), d)).transformMap(k, w, "
        + "\(within("k") { $0.within("w") { $0.expression(.any, d) } }))"
    case 3:
      return "\(expression(pick([.list, .map]), d)).transformMapEntry(k, w, {w: "
        + "\(within("k") { $0.expression(.any, d) })})"
    case 4: return "\(expression(.map, d)).merge(\(expression(.map, d)))"
    case 5:
      return "\(expression(.map, d)).\(pick(["without('k')", "without(['a', 'x'])", "rename({'k': 'a', 'a': 'k'})"]))"
    default: return "{'k': \(expression(.any, d)), 'n': {'a': \(expression(.int, d))}}.n"
    }
  }

  private mutating func optional(_ d: Int) -> String {
    switch random.below(6) {
    case 0: return "\(expression(.map, d)).?\(pick(["x", "k", "a"]))"
    case 1: return "\(expression(pick([.list, .map]), d))[?\(expression(pick([.int, .string]), d))]"
    case 2: return "\(expression(.optional, d)).optMap(z, \(within("z") { $0.expression(.any, d) }))"
    case 3: return "\(expression(.optional, d)).or(\(expression(.optional, d)))"
    case 4: return "\(expression(.optional, d)).\(pick(["x", "k"]))"
    default: return "optional.ofNonZeroValue(\(expression(.any, d)))"
    }
  }

  /// The text with bytes changed, taken out, put in or said twice.
  private mutating func mutated(_ text: String) -> String {
    var bytes = Array(text.utf8)
    for _ in 0...random.below(4) where !bytes.isEmpty {
      let place = random.below(bytes.count)
      switch random.below(4) {
      case 0: bytes[place] = pick(Self.alphabet)
      case 1: bytes.remove(at: place)
      case 2: bytes.insert(pick(Self.alphabet), at: place)
      default:
        let end = min(bytes.count, place + 1 + random.below(8))
        bytes.insert(contentsOf: Array(bytes[place..<end]), at: random.below(bytes.count))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func bytes() -> String {
    var bytes: [UInt8] = []
    for _ in 0...random.below(40) {
      bytes.append(random.below(4) == 0 ? UInt8(truncatingIfNeeded: random.next()) : pick(Self.alphabet))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let alphabet = Array("()[]{}.,:?!+-*/%<>=&|'\"\\ \nabrsxu0189eE_`#$@".utf8)
}
