internal import CEL
public import StreamCore

/// The stream of a field `stream`.
///
/// ```swift
/// let items = StreamModel(source: .sequence(.init(expression: "outer.items")))
/// let flat = PlacedOperator.flatMap(InnerStream(items))
/// ```
public struct InnerStream: StreamFilePart, ExpressibleByStringLiteral {
  public var reference: StreamReference {
    get { nested.content }
    set { nested = Nested(newValue) }
  }
  private var nested: Nested<StreamReference>

  /// The variables of a stream that is started for a value of upstream.
  public static let captures: [JoinedStream.Capture] = [.upstream("outer"), .fixed("outerIndex", .int)]

  public init(_ reference: StreamReference) { nested = Nested(reference) }

  public init(_ model: StreamModel) { self.init(.model(model)) }

  public init(stringLiteral name: String) { self.init(.name(name)) }

  public init(json: Value) throws(Diagnostics) { self.init(try StreamReference(json: json)) }

  public var json: Value { reference.json }

  /// The stream as an input of an operator that has it in this field.
  ///
  /// - Parameters:
  ///   - field: The field that has the stream.
  ///   - captures: The variables of its expressions, if it is started for an event.
  public func joined(_ field: String = "stream", capturing captures: [JoinedStream.Capture]? = nil) -> JoinedStream {
    JoinedStream(reference: reference, pointer: JSONPointer([field]), captures: captures)
  }
}
