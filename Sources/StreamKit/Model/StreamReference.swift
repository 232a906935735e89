public import StreamCore

/// A stream that an operator uses: the name of a stream or an input (a stream takes precedence), or an inline model.
///
/// ```swift
/// let named: StreamReference = "other"
/// let inline = StreamReference.model(StreamModel(source: .range(1...3)))
/// ```
public indirect enum StreamReference: StreamFilePart, ExpressibleByStringLiteral {
  case name(String)
  case model(StreamModel)

  public init(stringLiteral name: String) { self = .name(name) }

  public init(json: Value) throws(Diagnostics) {
    switch json {
    case .string(let name): self = .name(name)
    case .map: self = .model(try StreamModel(json: json))
    default:
      throw Diagnostics(
        .wrongType, "expected \(FieldSpec.Kind.stream.expectation); found \(json.describedType)")
    }
  }

  /// Returns the reference as far as it can be read, and the errors in it.
  static func read(_ value: Value) -> (StreamReference, Diagnostics) {
    MemberReader.part(or: .name("")) { () throws(Diagnostics) in try StreamReference(json: value) }
  }

  public var json: Value {
    switch self {
    case .name(let name): .string(name)
    case .model(let model): model.json
    }
  }
}

/// The streams in a field `with`.
///
/// ```swift
/// let merged = PlacedOperator.merge(with: ["other", .model(StreamModel(source: .range(1...3)))])
/// ```
public struct StreamReferences: StreamFilePart, ExpressibleByArrayLiteral {
  public var all: [StreamReference] {
    get { nested.content }
    set { nested = Nested(newValue) }
  }
  private var nested: Nested<[StreamReference]>

  public init(_ all: [StreamReference]) { nested = Nested(all) }

  public init(arrayLiteral elements: StreamReference...) { nested = Nested(elements) }

  public init(json: Value) throws(Diagnostics) {
    self.init(try MemberReader.elements(of: json, named: "with", StreamReference.read))
  }

  public var json: Value { .list(all.map(\.json)) }
}
