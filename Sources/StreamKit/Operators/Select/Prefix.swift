internal import CEL
internal import StreamCore
package import StreamEngine

extension Operator {
  /// Publishes the first values, then finishes.
  ///
  /// Upstream is canceled with the last of these values. With a count of 0 upstream is not subscribed to.
  public struct Prefix: NodeDefinition {
    /// Number of values to publish. An integer, 0 or more.
    public var count: Int

    public init(count: Int) {
      self.count = count
    }
  }
}

extension Operator.Prefix {
  package func makeNode(at place: OperatorPlace, _ context: inout OperatorContext) -> PipelineNode {
    count > 0 ? place.node(running: steps, context) : place.nodeWithoutValues()
  }

  private var steps: Steps {
    let count = count
    return Steps { segment in
      let passed = segment.cell(.int(0), .int)
      segment.count(passed)
      segment.endWithValue(when: segment.equal(passed, segment.constant(.int(Int64(count)))))
      segment.keep {
        count - Int($0.int(passed))
      } loading: { (state: Int, cells) in
        cells[passed] = .int(Int64(count - state))
      } refusing: {
        (0...count).contains($0) ? nil : "expects \($0) more values"
      }
    }
  }
}

extension Operator.Prefix {
  public static let fieldsOfState: Set<String> = ["count"]

  public static let spec = OperatorSpec(
    "prefix", "Publishes the first values, then finishes.",
    fields: [.required("count", .count(0 ... .max), "Number of values to publish.")],
    examples: [
      .marbles("the first two values", #"{"prefix": {"count": 2}}"#, in: "-a-b-c-d|", out: "-a-(b|)"),
      .marbles("no value", #"{"prefix": {"count": 0}}"#, in: "-a-b|", out: "|"),
      .marbles("more than there are", #"{"prefix": {"count": 5}}"#, in: "-a-b|", out: "-a-b|"),
      .rejects("no number", #"{"prefix": {}}"#, .missingField, at: "/prefix"),
      .rejects("a number in quotes", #"{"prefix": {"count": "2"}}"#, .wrongType, at: "/prefix/count"),
    ])
}
