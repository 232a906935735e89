internal import StreamCore
internal import StreamKit

extension PipelineMaker {
  /// The operators of the examples of the catalog that run.
  private static let examples: [Value] = ExampleStream.running.filter { !$0.isSource }.compactMap { try? $0.fields() }

  /// The operators that pass every value in time.
  private static let transparent: [Value] = [
    ["buffer": ["capacity": 3]], ["buffer": ["capacity": 40, "prefetch": "keepFull"]], ["share": .map(ValueMap())],
    ["print": .map(ValueMap())], ["delay": ["seconds": 0.0]], ["ignoreFailure": .map(ValueMap())],
    ["replaceError": ["with": 5]], ["distinct": .map(ValueMap())],
    ["catch": ["stream": ["source": ["just": ["value": 1]]]]],
    ["intersperse": ["value": 2]], ["dropLast": ["count": 2]], ["sort": ["limit": 5_000]],
    ["replaceEmpty": ["with": 4]],
  ]

  /// Returns an operator that is a machine, from the catalog's examples or with other fields.
  mutating func machine() -> [Value] {
    let isExample = otherInputs.count == 3 && generator.happens(oneIn: 2)
    let placed = isExample ? generator.pick(Self.examples) : generator.pick(Self.transparent)
    guard isExample || generator.happens(oneIn: 4) else { return [placed] }
    return [placed, ["map": ["expression": "dyn(value)"]]]
  }
}
