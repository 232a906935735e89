public import StreamCore

/// The operators of a field `operators`, which process the values that an operator feeds to an inner stream.
///
/// ```swift
/// let totals = PlacedOperator.groupBy("value.shop", operators: [.map("value.price"), .scan(0, "acc + value")])
/// ```
public struct InnerOperators: StreamFilePart, ExpressibleByArrayLiteral {
  /// Maximum number of values that wait for the operators, of `groupBy`, `window`, `retryWhen` and `repeatWhen`.
  static let waitingLimit = 1_024

  public var all: [PlacedOperator] {
    get { nested.content }
    set { nested = Nested(newValue) }
  }
  private var nested: Nested<[PlacedOperator]>

  public init(_ all: [PlacedOperator]) { nested = Nested(all) }

  public init(arrayLiteral elements: PlacedOperator...) { self.init(elements) }

  public init(json: Value) throws(Diagnostics) {
    self.init(try MemberReader.elements(of: json, named: "operators", PlacedOperator.read))
  }

  public var json: Value { .list(all.map(\.json)) }

  /// The stream of these operators over the values that the machine feeds.
  ///
  /// - Parameters:
  ///   - limit: Maximum number of values that wait for the stream.
  ///   - captures: The variables that its expressions capture from the operator.
  ///   - isElement: Whether the machine feeds other values than those of upstream, of any type. Default false.
  public func joined(limit: Int, captures: [JoinedStream.Capture] = [], isElement: Bool = false) -> JoinedStream {
    JoinedStream(
      operators: all, pointer: JSONPointer(["operators"]), limit: limit, captures: captures, isElement: isElement)
  }
}
