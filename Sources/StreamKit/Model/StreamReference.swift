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

  var value: Value {
    switch self {
    case .name(let name): .string(name)
    case .model(let model): model.value
    }
  }
}

/// The streams of a field `with`.
public struct StreamReferences: Hashable, Sendable, Codable, ExpressibleByArrayLiteral {
  public var all: [StreamReference]

  public init(_ all: [StreamReference]) { self.all = all }

  public init(arrayLiteral elements: StreamReference...) { all = elements }

  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer().decode(Value.self)
    // One that is wrong does not hide the others.
    var reader = MemberReader(["with": value], what: "an operator", keys: ["with"])
    all = reader.elements("with") { value throws(Diagnostics) in try StreamReference(value) } ?? []
    if reader.diagnostics.hasErrors {
      throw Diagnostics(
        reader.diagnostics.all.map { diagnostic in
          var copy = diagnostic
          copy.pointer = JSONPointer(Array(diagnostic.pointer.tokens.dropFirst()))
          return copy
        })
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Value.list(all.map(\.value)))
  }
}
