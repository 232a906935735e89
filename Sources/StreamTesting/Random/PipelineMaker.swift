internal import StreamCore

/// Generates the parts of a random pipeline.
struct PipelineMaker {
  /// The type of the values at some place of a stream.
  enum Kind { case int, double, bool, record }

  /// A variable of expressions.
  typealias Name = (name: String, kind: Kind)

  /// The source of a stream and what feeds it.
  struct Source {
    var member: Value
    var inputs: Value?
    var kind: Kind
    var feed = RandomPipeline.Feed.source
    var size: Int
  }

  var generator: SeededGenerator
  /// The variables of expressions, with their types.
  var names: [Name] = []
  /// The variables that inner streams capture.
  var captured: [Name] = []
  /// The types of the inputs beside the first, by name.
  var otherInputs: [Name] = []
  /// Number of operators with inner streams around the operators being generated.
  var depth = 0

  /// Whether to use only numbers, and operators that compute with them; otherwise few streams run in typed code alone.
  let isPlain: Bool
  let flavors: [RandomPipeline.Flavor]
  let limit: Int

  init(seed: UInt64, limit: Int) {
    generator = SeededGenerator(seed: seed)
    self.limit = limit
    flavors = Self.flavors(&generator)
    let isSimple = generator.below(3) > 0
    isPlain = flavors.isEmpty && isSimple
  }

  /// Returns the flavors of a pipeline: none for half of them, else one to three.
  private static func flavors(_ generator: inout SeededGenerator) -> [RandomPipeline.Flavor] {
    guard generator.below(20) > 10 else { return [] }
    let all = RandomPipeline.Flavor.allCases
    let picked = (0...generator.below(3)).map { _ in generator.pick(all) }
    return all.filter(picked.contains)
  }

  /// Returns the number of values: mostly a few dozen, sometimes a batch or several batches.
  mutating func size() -> Int {
    let size =
      switch generator.below(20) {
      case 0, 1: 1 + generator.below(31)
      case 2, 3: generator.pick([31, 32, 33, 63, 64, 65])
      case 4: generator.pick([511, 512, 513, 1_023, 1_024, 1_025])
      case 5: 200 + generator.below(1_800)
      default: 32 + generator.below(168)
      }
    return min(size, limit)
  }

  mutating func model(_ source: Source) -> Value {
    var members: [(Value, Value)] = []
    if let inputs = source.inputs { members.append(("inputs", inputs)) }
    members.append(("source", source.member))
    var kind = source.kind
    members.append(("operators", .list(operators(over: &kind))))
    return .map(ValueMap(members))
  }

  // MARK: Names

  /// Returns the variables for a value and its fields.
  func variables(_ name: String, _ kind: Kind) -> [Name] {
    guard kind == .record else { return [(name, kind)] }
    return [("\(name).t", .int), ("\(name).z", .double), ("\(name).isOn", .bool), ("\(name).t", .int)]
  }

  /// Returns what `make` generates inside an inner stream that captures variables.
  mutating func within<Result>(_ variables: [Name], _ make: (inout PipelineMaker) -> Result) -> Result {
    let before = captured
    captured = captured.filter { name in !variables.contains { $0.name == name.name } } + variables
    depth += 1
    defer {
      captured = before
      depth -= 1
    }
    return make(&self)
  }
}
