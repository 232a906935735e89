import StreamCore

extension FunctionCatalogue {
  /// Random numbers.
  static let randoms: [Function] = [
    Function(
      "random", "A random number from 0 to below 1, the same in each run with the same seed", form: .random,
      [.function([], .double)], .none { .double($0.draw()) })
  ]
}

/// The origin of the numbers that `random()` returns in an expression.
///
/// Counter-based, as Philox and its kin (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC11): a number is
/// a function of the seed, the place of the expression in the file, the keys and numbers of the streams around it, the
/// index of the value, and the number of draws for that value. There is no state beside the index, which an operator
/// keeps anyway; so snapshots, swaps, replays, threads, shards and workers agree. The function is that of SplitMix64
/// (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
package enum RandomSource: Sendable {
  /// Neither the file nor the host has a seed.
  case noSeed
  /// The expression is not evaluated for a numbered value.
  case noIndex
  /// The key of the seed and the place, and the slots of the variables that distinguish the values: the keys and numbers
  /// of the streams around, then the index.
  ///
  /// The key is computed for expressions that call `random()`: the place may be long.
  case place(key: @Sendable () -> UInt64, slots: [Int])

  /// Returns the key of an expression at a place of a file.
  package static func key(seed: Int64, place: String) -> UInt64 {
    RandomBits.mixed(RandomBits.mixed(UInt64(bitPattern: seed)) ^ RandomBits.hash(place.utf8))
  }
}

/// The functions of random numbers.
enum RandomBits {
  private static let gamma: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Returns the bits after one step of SplitMix64.
  static func mixed(_ bits: UInt64) -> UInt64 {
    var bits = bits &+ gamma
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Returns the number of a draw, of 53 random bits.
  static func number(_ key: UInt64, draw: UInt64) -> Double {
    Double(mixed(key &+ draw &* gamma) >> 11) * 0x1p-53
  }

  /// Returns the FNV-1a hash of bytes.
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  /// Returns the bits of a value: equal values have equal bits. Those of a list or a map are of its JSON text.
  static func bits(of value: Value, _ activation: Activation) throws(EvaluationError) -> UInt64 {
    switch value {
    case .int(let number): return UInt64(bitPattern: number)
    case .uint(let number): return number
    case .double(let number):
      return Int64(exactly: number).map { UInt64(bitPattern: $0) } ?? number.bitPattern
    default:
      let text = JSONWriter.sorted(value)
      try activation.charge(text.count)
      return hash(text)
    }
  }
}

/// The root of an expression that calls `random()`: its draws begin again with each evaluation.
final class RandomNode: PlanNode, @unchecked Sendable {
  private let body: PlanNode
  private let key: UInt64
  private let slots: [Int]

  init(_ body: PlanNode, key: UInt64, slots: [Int]) {
    self.body = body
    self.key = key
    self.slots = slots
    super.init(body.range)
  }

  override func evaluate(_ activation: Activation) throws(EvaluationError) -> Value {
    var key = key
    for slot in slots { key = RandomBits.mixed(key ^ (try RandomBits.bits(of: activation.slots[slot], activation))) }
    activation.draws = RandomDraws(key: key)
    return try body.evaluate(activation)
  }
}

/// The random numbers of one evaluation.
struct RandomDraws {
  let key: UInt64
  /// Number of draws so far.
  private var count: UInt64 = 0

  init(key: UInt64) { self.key = key }

  mutating func next() -> Double {
    defer { count &+= 1 }
    return RandomBits.number(key, draw: count)
  }
}

extension Activation {
  /// Returns the next random number of the evaluation.
  fileprivate func draw() -> Double { draws.next() }
}

extension Checker {
  /// Marks the variables as used that `random()` depends on, or reports that there are no random numbers here.
  mutating func checkRandom(_ id: Syntax.ID) {
    callsRandom = true
    switch environment.random {
    case .place(_, let slots): for slot in slots { use(slot) }
    case .noSeed:
      report(
        .unknownFunction, "'random()' needs a seed, so that each run gives the same numbers", at: id,
        help: "add \"seed\": 1 at the top of the file, or run it with --seed 1")
    case .noIndex:
      report(
        .unknownFunction, "'random()' is available where 'index' is, since each value has numbers of its own", at: id,
        help: "compute it before: {\"map\": {\"expression\": \"{'value': value, 'random': random()}\"}}")
    }
  }
}
