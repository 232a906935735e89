internal import StreamCore

extension PipelineMaker {
  /// Returns values of a kind, and some of other types if allowed.
  mutating func values(_ kind: Kind, _ size: Int, onlyOfKind: Bool = false) -> [Value] {
    let isLarge = generator.happens(oneIn: isPlain ? 20 : 6)
    let isRepeating = generator.happens(oneIn: 3)
    var values: [Value] = []
    for _ in 0..<size {
      if isRepeating, let last = values.last, generator.below(3) > 0 {
        values.append(last)
      } else {
        values.append(value(kind, isLarge: isLarge))
      }
    }
    guard !onlyOfKind, size > 0 else { return values }
    switch generator.below(12) {
    case 0, 1: change(&values, at: generator.below(size), kind)
    case 2: for place in values.indices where generator.happens(oneIn: 10) { change(&values, at: place, kind) }
    default: break
    }
    return values
  }

  /// Replaces a value or a field of a record.
  private mutating func change(_ values: inout [Value], at place: Int, _ kind: Kind) {
    guard kind == .record, case .map(let map) = values[place], generator.below(8) > 0 else {
      values[place] = wild()
      return
    }
    var pairs = map.pairs.map { ($0, $1) }
    let field = generator.below(pairs.count)
    switch generator.below(5) {
    case 0: pairs.remove(at: field)
    case 1: pairs.append(("more", wild()))
    case 2: pairs.swapAt(0, field)
    case 3: pairs[field].1 = .null
    default: pairs[field].1 = wild()
    }
    values[place] = .map(ValueMap(pairs))
  }

  /// Returns a value of any type.
  mutating func wild() -> Value {
    switch generator.below(8) {
    case 0: .null
    case 1: "text"
    case 2: .bool(generator.happens(oneIn: 2))
    case 3: .double(double(isLarge: true))
    case 4: [1, "x"]
    case 5: ["t": 1]
    default: .int(int(isLarge: true))
    }
  }

  private mutating func value(_ kind: Kind, isLarge: Bool) -> Value {
    switch kind {
    case .int: .int(int(isLarge: isLarge))
    case .double: .double(double(isLarge: isLarge))
    case .bool: .bool(generator.happens(oneIn: 2))
    case .record:
      [
        "isOn": .bool(generator.happens(oneIn: 2)), "t": .int(int(isLarge: isLarge)),
        "z": .double(double(isLarge: isLarge)),
      ]
    }
  }

  mutating func int(isLarge: Bool) -> Int64 {
    if isLarge, generator.happens(oneIn: 40) {
      return generator.pick([.max, .min, .max - 7, 1 << 53, -1 << 53, 1 << 62, -(1 << 62), 4_611_686_018_427_387])
    }
    return Int64(generator.below(200)) - 100
  }

  mutating func double(isLarge: Bool) -> Double {
    if isLarge, generator.happens(oneIn: 40) {
      return generator.pick([1e300, -1e300, 0x1p53, 0x1p63, -0.0, .leastNonzeroMagnitude])
    }
    return Double(generator.below(800) - 400) / 8
  }
}
