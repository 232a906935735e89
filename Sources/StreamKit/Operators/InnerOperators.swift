internal import CEL
internal import StreamCore

/// The operators of a field `operators`: what is done with values that an operator hands to an inner stream.
public struct InnerOperators: Hashable, Sendable, Codable {
  public var all: [PlacedOperator] {
    get { nested.content }
    set { nested = Nested(newValue) }
  }
  private var nested: Nested<[PlacedOperator]>

  public init(_ all: [PlacedOperator]) { nested = Nested(all) }

  public init(from decoder: any Decoder) throws {
    let value = try PlainValue(from: decoder).value
    nested = Nested(try MemberReader.elements(of: value, named: "operators", PlacedOperator.read))
  }

  public func encode(to encoder: any Encoder) throws {
    try PlainValue(.list(all.map(\.value))).encode(to: encoder)
  }

  /// The stream of them, over what the machine feeds.
  public func joined(limit: Int, captures: [Capture] = []) -> JoinedStream {
    JoinedStream(operators: all, pointer: JSONPointer(["operators"]), limit: limit, captures: captures)
  }
}
