public import CEL
public import StreamCore
public import StreamRuntime

/// What stands in a file of `Operators/` or `Sources/`: fields with synthesised coding, their documentation as data.
public protocol FieldsDefinition: Codable, Hashable, Sendable {
  static var spec: OperatorSpec { get }
  /// What the fields say that neither their kinds nor the rules of the documentation can refuse. Pointers are relative to the fields.
  func validate() throws(Diagnostic)
}

extension FieldsDefinition {
  public func validate() throws(Diagnostic) {}

  /// The documentation, from an instance.
  public var spec: OperatorSpec { Self.spec }

  /// Reads the fields.
  ///
  /// - Throws: every problem, with pointers relative to the fields.
  static func read(_ value: Value) throws(Diagnostics) -> Self {
    // NB: FieldReader is not generic. A specialization for each operator was a fourteenth of the module's code.
    let reader = FieldReader(spec)
    var fields: Self?
    try reader.read(value) { value throws(Diagnostics) in
      let decoded = try ValueDecoder().decodeAll(Self.self, from: value)
      fields = decoded
      return { () throws(Diagnostic) in try decoded.validate() }
    }
    guard let fields else { preconditionFailure("FieldReader returned without decoding '\(spec.name)'") }
    return fields
  }

  /// The fields as JSON. Integers are written without a fraction.
  package var json: Value {
    let encoded: Value
    do {
      encoded = try ValueEncoder().encode(self)
    } catch {
      // Coding a value never throws, and the fields of the catalogue hold nothing else that might. A host's own operators
      // are kept as the JSON that they were read from.
      preconditionFailure("the fields of '\(Self.spec.name)' are coded without errors: \(error)")
    }
    guard case .map(let map) = encoded else { return encoded }
    return .map(
      ValueMap(
        map.pairs.map { key, value in
          guard case .double(let number) = value, let whole = Int64(exactly: number),
            Self.spec.fields.first(where: { .string($0.name) == key })?.kind.isFractional == true
          else { return (key, value) }
          return (key, .int(whole))
        }))
  }
}

/// Fields of which there is one, an expression. With nothing beside it they are read without coding, which would take
/// longer than everything else that reading them takes.
protocol ExpressionFields: FieldsDefinition {
  init(expression: CELExpression)
}

extension ExpressionFields {
  /// The fields, where the expression is there alone; nil for whatever needs a closer look.
  static func readPlainly(_ value: Value) -> Self? {
    guard case .map(let map) = value, map.count == 1, map.shape.has("expression", at: 0),
      case .string(let text) = map.slots[0]
    else { return nil }
    return Self(expression: CELExpression(text))
  }
}

/// An operator: its fields and what runs for them.
public protocol OperatorFields: FieldsDefinition {
  /// The streams that the operator takes beside its upstream: they feed the ports 1, 2 … in this order.
  var joined: [JoinedStream] { get }

  /// Whether with these fields a failure of upstream becomes something else, so that it need not come out.
  var handlesFailures: Bool { get }

  /// Whether what comes later depends on what came before: what an `id` is for. Default true.
  var keepsState: Bool { get }

  /// The form of what the operator keeps; by default that of its machine's state. Where a file changes, what is kept
  /// still fits if the operator's name and this form stay.
  var stateForm: String { get }

  /// The fields on which the meaning of what is kept depends: it is lost when one of them changes. Default none.
  static var fieldsOfState: Set<String> { get }

  /// What must reach the operator before it counts as exercised by a test. Default a value.
  static var exercise: Exercise { get }

  /// What runs at this place of a pipeline. Expressions are planned here, once.
  func makeNode(at place: OperatorPlace, _ context: inout OperatorContext) throws(Diagnostics) -> PipelineNode
}

extension OperatorFields {
  public var joined: [JoinedStream] { [] }
  public var handlesFailures: Bool { false }
  public var keepsState: Bool { true }
  public var stateForm: String { Self.spec.name }
  public static var fieldsOfState: Set<String> { [] }
  public static var exercise: Exercise { .value }
}

/// Where in a pipeline an operator stands.
public struct OperatorPlace: Sendable {
  let name: String
  let pointer: JSONPointer
  let errorPolicy: ErrorPolicy
  let frameDepth: Int
  /// What is upstream, by port.
  let upstreams: [PipelineNode]
}

/// An operator that runs as a machine.
public protocol OperatorDefinition: OperatorFields {
  associatedtype OperatorMachine: Machine

  /// The machine in the state that every subscription starts with. Expressions are planned here, once.
  func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> OperatorMachine
}

extension OperatorDefinition {
  public var keepsState: Bool { OperatorMachine.State.self != Stateless.self }
  public var stateForm: String { String(reflecting: OperatorMachine.State.self) }

  public func makeNode(
    at place: OperatorPlace, _ context: inout OperatorContext
  ) throws(Diagnostics) -> PipelineNode {
    let machine: any Machine = try makeMachine(&context)
    return .machine(
      machine, name: place.name, pointer: place.pointer, upstreams: place.upstreams, errorPolicy: place.errorPolicy,
      frameDepth: place.frameDepth)
  }
}

/// A stream that an operator takes, and the place in its fields where that stands.
public struct JoinedStream: Sendable {
  /// Where its values come from.
  package enum Kind: Sendable {
    case reference(StreamReference)
    /// These operators, over what the machine feeds (`Effects.feed`); `limit` values wait for them.
    case fed([PlacedOperator], limit: Int)
  }

  package let kind: Kind
  public let pointer: JSONPointer
  /// The variables that its expressions see if it is started for a value (`Effects.subscribe(to:on:capturing:)`); nil if
  /// it is not.
  package let captures: [Capture]?

  /// A stream that is subscribed to once, or for a value, which its expressions see as `captures`.
  public init(reference: StreamReference, pointer: JSONPointer, captures: [Capture]? = nil) {
    kind = .reference(reference)
    self.pointer = pointer
    self.captures = captures
  }

  /// Operators over what the machine feeds to them, anew for each subscription.
  init(operators: [PlacedOperator], pointer: JSONPointer, limit: Int, captures: [Capture] = []) {
    kind = .fed(operators, limit: limit)
    self.pointer = pointer
    self.captures = captures
  }
}

/// A variable by which an inner stream knows what it was started for.
public struct Capture: Sendable {
  let name: String
  /// Its type; nil for that of the upstream's values.
  let type: CELType?

  /// A value of upstream.
  public static func upstream(_ name: String) -> Capture { Capture(name: name, type: nil) }
  /// Something else, of a type that is known.
  public static func fixed(_ name: String, _ type: CELType) -> Capture { Capture(name: name, type: type) }
}

extension StreamReferences {
  /// The streams of the field `with`.
  public var joined: [JoinedStream] {
    all.enumerated().map { JoinedStream(reference: $1, pointer: JSONPointer(["with", String($0)])) }
  }
}
