internal import StreamCore

extension PipelineMaker {
  /// The operators of the examples of the catalog that run, by name.
  private static let examples: [[Value]] = {
    let examples = ExampleStream.running.filter { !$0.isSource }
    return Dictionary(grouping: examples, by: \.name).sorted { $0.key < $1.key }
      .map { $0.value.compactMap { try? $0.fields() } }
  }()

  /// The operators that pass every value in time.
  private static let transparent: [Value] = [
    ["buffer": ["capacity": 3]], ["buffer": ["capacity": 40, "prefetch": "keepFull"]], ["share": .map(ValueMap())],
    ["print": .map(ValueMap())], ["delay": ["seconds": 0.0]], ["ignoreFailure": .map(ValueMap())],
    ["replaceError": ["with": 5]], ["distinct": .map(ValueMap())],
    ["catch": ["stream": ["source": ["just": ["value": 1]]]]],
    ["intersperse": ["value": 2]], ["dropLast": ["count": 2]], ["sort": ["limit": 5_000]],
    ["replaceEmpty": ["with": 4]],
  ]

  /// Returns an operator that is a machine, or two operators of the catalog's examples.
  mutating func machine() -> [Value] {
    // The examples refer to these inputs.
    guard otherInputs.count == 3, generator.below(3) > 0 else { return [generator.pick(Self.transparent)] }
    let dynamic: Value = ["map": ["expression": "dyn(value)"]]
    return [
      generator.pick(generator.pick(Self.examples)), dynamic, generator.pick(generator.pick(Self.examples)), dynamic,
    ]
  }
}
