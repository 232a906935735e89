internal import CEL
public import StreamCore

/// The one stream of a field `stream`.
public struct InnerStream: StreamFilePart, ExpressibleByStringLiteral {
  public var reference: StreamReference {
    get { nested.content }
    set { nested = Nested(newValue) }
  }
  private var nested: Nested<StreamReference>

  /// What a stream that is started for a value of the upstream knows of it.
  public static let captures: [Capture] = [.upstream("outer"), .fixed("outerIndex", .int)]

  public init(_ reference: StreamReference) { nested = Nested(reference) }

  public init(_ model: StreamModel) { self.init(.model(model)) }

  public init(stringLiteral name: String) { self.init(.name(name)) }

  public init(json: Value) throws(Diagnostics) { self.init(try StreamReference(json: json)) }

  public var json: Value { reference.json }

  /// The stream as an operator takes it that has it in this field.
  ///
  /// - Parameter field: the field that has the stream.
  /// - Parameter captures: what its expressions see, if it is started for something.
  public func joined(_ field: String = "stream", capturing captures: [Capture]? = nil) -> JoinedStream {
    JoinedStream(reference: reference, pointer: JSONPointer([field]), captures: captures)
  }
}
