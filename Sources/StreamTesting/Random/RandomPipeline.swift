internal import CEL
public import StreamCore

/// A randomly generated stream over numbers or records, with the values to feed.
///
/// It is designed to reach all numeric code: choices with equal, constant and nested branches, values passed unchanged,
/// overflows and failures in the middle, and lengths on both sides of every batch size. A seed reproduces the stream.
public struct RandomPipeline: Sendable {
  /// The origin of the values.
  public enum Feed: Sendable {
    /// A source in the stream file: a range, a list, or a file of lines.
    case source
    /// Values sent by the host.
    case values([Value])
    /// Records sent by the host, as values or as structs.
    case readings([Reading])
  }

  /// A struct of the host.
  public struct Reading: Sendable {
    public var isOn: Bool
    public var t: Int
    public var z: Double

    /// The layout of the struct as a record.
    public static let layout = RecordLayout<Reading>(
      .field("isOn", \.isOn), .field("t", \.t), .field("z", \.z))
  }

  public let seed: UInt64
  /// The stream file.
  public let model: Value
  public let feed: Feed
  /// The text of the file `rows.ndjson`, for a source that reads it.
  public let text: String
  /// Number of values.
  public let size: Int

  public init(seed: UInt64) {
    var maker = PipelineMaker(seed: seed)
    let size = maker.size()
    self.seed = seed
    self.size = size
    let source = maker.source(size)
    model = maker.model(source)
    feed = source.feed
    text = source.text
  }

  /// A stream that feeds itself.
  package init(model: Value) {
    (seed, size, text, feed, self.model) = (0, 0, "", .source, model)
  }
}

/// Makes the parts of a random pipeline.
struct PipelineMaker {
  /// The type of the values at some place of a stream.
  enum Kind { case int, double, bool, record }

  struct Source {
    var member: (Value, Value)
    var inputs: Value?
    var kind: Kind
    var feed = RandomPipeline.Feed.source
    var text = ""
  }

  var generator: SeededGenerator
  /// The variables of expressions, with their types.
  var names: [(name: String, kind: Kind)] = []

  /// Whether to use only expressions and operators that columns support; otherwise few streams consist entirely of
  /// them.
  let isPlain: Bool

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    isPlain = generator.below(3) > 0
  }

  /// Returns the number of values: mostly a few dozen, sometimes a batch or several batches.
  mutating func size() -> Int {
    switch generator.below(20) {
    case 0, 1: 1 + generator.below(31)
    case 2, 3: generator.pick([31, 32, 33, 63, 64, 65])
    case 4: generator.pick([511, 512, 513, 1_023, 1_024, 1_025])
    case 5: 200 + generator.below(1_800)
    default: 32 + generator.below(168)
    }
  }

  mutating func model(_ source: Source) -> Value {
    var members: [(Value, Value)] = []
    if let inputs = source.inputs { members.append(("inputs", inputs)) }
    members.append(source.member)
    members.append(("operators", .list(operators(over: source.kind))))
    return .map(ValueMap(members))
  }

  // MARK: Sources

  mutating func source(_ size: Int) -> Source {
    switch generator.below(10) {
    case 0, 1, 2: return range(size)
    case 3, 4, 5: return list(size)
    case 6, 7: return input(size)
    default: return records(size)
    }
  }

  private mutating func range(_ size: Int) -> Source {
    let step = Int64(generator.pick([1, 1, 1, 1, 2, 3, -1, -7, 1 << 40]))
    let first: Int64 =
      switch generator.below(10) {
      case 0: Int64.max - step.magnitude.asInt * Int64(size)
      case 1: Int64.min + step.magnitude.asInt * Int64(size)
      case 2: Int64(generator.below(1 << 32)) << 30
      default: Int64(generator.below(200)) - 100
      }
    let through = first &+ step &* Int64(size - 1)
    return Source(
      member: ("source", ["range": ["from": .int(first), "through": .int(through), "by": .int(step)]]), kind: .int)
  }

  private mutating func list(_ size: Int) -> Source {
    let kind = generator.pick([.int, .int, .int, .double, .double, isPlain ? .int : .bool] as [Kind])
    return Source(member: ("source", ["sequence": ["values": .list(values(kind, size))]]), kind: kind)
  }

  private mutating func input(_ size: Int) -> Source {
    let kind = generator.pick([.int, .int, .int, .double, .double, isPlain ? .int : .bool] as [Kind])
    let isDeclared = generator.below(3) > 0
    let name: Value = kind == .int ? "int" : kind == .double ? "double" : "bool"
    let declaration: Value = isDeclared ? ["type": name] : .map(ValueMap())
    return Source(
      member: ("source", ["input": ["name": "a"]]), inputs: ["a": declaration], kind: kind,
      feed: .values(values(kind, size, onlyOfKind: isDeclared)))
  }

  private mutating func records(_ size: Int) -> Source {
    let readings = (0..<size).map { _ in
      RandomPipeline.Reading(
        isOn: generator.below(3) > 0, t: Int(int(isLarge: false)), z: Double(generator.below(4_000) - 2_000) / 16)
    }
    let isDeclared = generator.happens(oneIn: 2)
    let type: Value = ["isOn": "bool", "t": "int", "z": "double"]
    guard generator.happens(oneIn: 4), size <= 300 else {
      return Source(
        member: ("source", ["input": ["name": "a"]]), inputs: ["a": isDeclared ? ["type": type] : .map(ValueMap())],
        kind: .record, feed: .readings(readings))
    }
    let text = readings.map { "{\"isOn\":\($0.isOn),\"t\":\($0.t),\"z\":\($0.z)}\n" }.joined()
    var fields: [(Value, Value)] = [("path", "rows.ndjson"), ("format", "ndjson")]
    if isDeclared { fields.append(("type", type)) }
    return Source(member: ("source", ["file": .map(ValueMap(fields))]), kind: .record, text: text)
  }

  /// Returns values of a kind, occasionally with one of another kind if allowed.
  private mutating func values(_ kind: Kind, _ size: Int, onlyOfKind: Bool = false) -> [Value] {
    let isLarge = generator.happens(oneIn: isPlain ? 20 : 6)
    let isRepeating = generator.happens(oneIn: 3)
    var values: [Value] = []
    for _ in 0..<size {
      if isRepeating, let last = values.last, generator.below(3) > 0 {
        values.append(last)
        continue
      }
      switch kind {
      case .int: values.append(.int(int(isLarge: isLarge)))
      case .double: values.append(.double(double(isLarge: isLarge)))
      default: values.append(.bool(generator.happens(oneIn: 2)))
      }
    }
    if !onlyOfKind, generator.happens(oneIn: 6) {
      values[generator.below(size)] = generator.pick([0.5, 3, "text", .null, true, .double(-2)])
    }
    return values
  }

  private mutating func int(isLarge: Bool) -> Int64 {
    if isLarge, generator.happens(oneIn: 40) {
      return generator.pick([.max, .min, .max - 7, 1 << 53, -1 << 53, 1 << 62, -(1 << 62), 4_611_686_018_427_387])
    }
    return Int64(generator.below(200)) - 100
  }

  private mutating func double(isLarge: Bool) -> Double {
    if isLarge, generator.happens(oneIn: 40) {
      return generator.pick([1e300, -1e300, 0x1p53, 0x1p63, -0.0, .leastNonzeroMagnitude])
    }
    return Double(generator.below(800) - 400) / 8
  }
}

extension UInt64 {
  fileprivate var asInt: Int64 { Int64(clamping: self) }
}
