internal import StreamCore

/// A stream that an operator takes: the name of a stream, else of an input, or a model in place.
public indirect enum StreamReference: Hashable, Sendable {
  case name(String)
  case model(StreamModel)

  init(_ value: Value) throws(Diagnostics) {
    switch value {
    case .string(let name): self = .name(name)
    case .map: self = .model(try StreamModel(value))
    default:
      throw Diagnostics([
        Diagnostic(
          .wrongType, "expected \(FieldKind.stream.expectation); found \(value.describedType)")
      ])
    }
  }

  /// The reference as far as it can be read, and what is wrong with it.
  static func read(_ value: Value) -> (StreamReference, Diagnostics) {
    do throws(Diagnostics) {
      return (try StreamReference(value), Diagnostics())
    } catch {
      return (.name(""), error)
    }
  }

  var value: Value {
    switch self {
    case .name(let name): .string(name)
    case .model(let model): model.value
    }
  }
}

/// The streams of a field `with`.
public struct StreamReferences: Hashable, Sendable, Codable, ExpressibleByArrayLiteral {
  public var all: [StreamReference] {
    get { nested.content }
    set { nested = Nested(newValue) }
  }
  private var nested: Nested<[StreamReference]>

  public init(_ all: [StreamReference]) { nested = Nested(all) }

  public init(arrayLiteral elements: StreamReference...) { nested = Nested(elements) }

  public init(from decoder: any Decoder) throws {
    let value = try PlainValue(from: decoder).value
    nested = Nested(try MemberReader.elements(of: value, named: "with", StreamReference.read))
  }

  public func encode(to encoder: any Encoder) throws {
    try PlainValue(.list(all.map(\.value))).encode(to: encoder)
  }
}
