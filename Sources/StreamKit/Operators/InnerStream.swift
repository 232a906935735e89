internal import CEL
internal import StreamCore

/// The one stream of a field `stream`.
public struct InnerStream: Hashable, Sendable, Codable {
  public var reference: StreamReference {
    get { nested.content }
    set { nested = Nested(newValue) }
  }
  private var nested: Nested<StreamReference>

  /// What a stream that is started for a value of the upstream knows of it.
  public static let captures: [Capture] = [.upstream("outer"), .fixed("outerIndex", .int)]

  public init(_ reference: StreamReference) { nested = Nested(reference) }

  public init(from decoder: any Decoder) throws {
    nested = Nested(try StreamReference(PlainValue(from: decoder).value))
  }

  public func encode(to encoder: any Encoder) throws {
    try PlainValue(reference.value).encode(to: encoder)
  }

  /// The stream as an operator takes it that has it in this field.
  ///
  /// - Parameter captures: what its expressions see, if it is started for something.
  public func joined(_ field: String = "stream", capturing captures: [Capture]? = nil) -> JoinedStream {
    JoinedStream(reference: reference, pointer: JSONPointer([field]), captures: captures)
  }
}
