package import CEL
@_spi(Engine) public import StreamCore
public import StreamEngine

/// The fields of an operator or a source, with synthesized coding, and their documentation as data.
///
/// ```swift
/// func validate() throws(Diagnostic) {
///   if low > high { throw Diagnostic(.outOfRange, "'low' is above 'high'", at: JSONPointer(["low"])) }
/// }
/// ```
public protocol FieldsDefinition: Codable, Hashable, Sendable {
  static var spec: OperatorSpec { get }
  /// Checks conditions that neither the kinds of the fields nor the rules of the spec express.
  ///
  /// - Throws: A diagnostic with a pointer relative to the fields.
  func validate() throws(Diagnostic)
}

extension FieldsDefinition {
  public func validate() throws(Diagnostic) {}

  /// The documentation, from an instance.
  public var spec: OperatorSpec { Self.spec }

  /// Reads the fields.
  ///
  /// - Throws: All errors found, with pointers relative to the fields.
  static func read(_ value: Value) throws(Diagnostics) -> Self {
    // NB: what does not depend on the type is in FieldReader. A specialization of all of it for each operator was a
    // fourteenth of the module's code.
    let reader = FieldReader(spec)
    let problems = try reader.checkMembers(of: value)
    // Fields that decode themselves (streams in place) are checked even if a field beside them is wrong.
    do throws(Diagnostics) {
      let fields = try ValueDecoder().decodeAll(Self.self, from: value)
      try problems.throwErrors()
      try Diagnostics.listing(fields.validate)
      try reader.checkRules(of: value)
      return fields
    } catch {
      throw problems.merging(error)
    }
  }

  /// The fields as JSON. Integers have no fraction.
  package var json: Value {
    let encoded: Value
    do {
      encoded = try ValueEncoder().encode(self)
    } catch {
      // Encoding to a value never throws, and the fields of the catalogue contain nothing else that could. Custom
      // operators keep the JSON they were read from.
      preconditionFailure("the fields of '\(Self.spec.name)' are encoded without errors: \(error)")
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

/// Fields with an expression as the only required one. Without other fields they are read without a decoder, which
/// saves most of the time.
protocol ExpressionFields: FieldsDefinition {
  init(expression: CELExpression)
}

extension ExpressionFields {
  /// The fields, if `expression` is the only member; nil otherwise.
  static func readPlainly(_ value: Value) -> Self? {
    guard case .map(let map) = value, map.count == 1, map.shape.has("expression", at: 0),
      case .string(let text) = map.slots[0]
    else { return nil }
    return Self(expression: CELExpression(text))
  }
}

/// An operator: its fields and the pipeline node made from them.
///
/// ```swift
/// /// A change of `low` in the file discards the state.
/// static var fieldsOfState: Set<String> { ["low"] }
/// ```
public protocol OperatorFields: FieldsDefinition {
  /// The operator's other upstreams, which feed the ports 1, 2 … in this order.
  var joined: [JoinedStream] { get }

  /// Whether the operator handles a failure of upstream, so that downstream may not receive it. Default false.
  var handlesFailures: Bool { get }

  /// Whether the operator keeps state between values, which an `id` identifies. Default true.
  var keepsState: Bool { get }

  /// An identifier of the state's format; by default the type of the machine's state. After a change of the file, saved
  /// state fits if the operator's name and this identifier are unchanged.
  var stateForm: String { get }

  /// The fields that define the meaning of the state: a change of one of them discards it. Default none.
  static var fieldsOfState: Set<String> { get }
}

extension OperatorFields {
  public var joined: [JoinedStream] { [] }
  public var handlesFailures: Bool { false }
  public var keepsState: Bool { true }
  public var stateForm: String { Self.spec.name }
  public static var fieldsOfState: Set<String> { [] }
}

/// An operator that makes its own node.
package protocol NodeDefinition: OperatorFields {
  /// Makes the node for this place of a pipeline. Expressions are planned here, once.
  func makeNode(at place: OperatorPlace, _ context: inout OperatorContext) throws(Diagnostics) -> PipelineNode
}

/// An operator whose work depends on its fields.
package protocol VariableWork: OperatorFields {
  /// The time complexity with these fields, in a sentence; nil if a value takes constant time.
  var work: String? { get }
}

/// An operator that a value alone does not exercise.
package protocol ExercisedFields: OperatorFields {
  /// The event that exercises the operator in a test.
  static var exercise: Exercise { get }
}

extension OperatorFields {
  /// The event that exercises the operator in a test.
  static var exercisingEvent: Exercise { (Self.self as? any ExercisedFields.Type)?.exercise ?? .value }

  /// Makes the node for this place of a pipeline.
  ///
  /// NB: The kind of the definition is found by a cast, once for each operator that is compiled.
  func node(at place: OperatorPlace, _ context: inout OperatorContext) throws(Diagnostics) -> PipelineNode {
    if let definition = self as? any NodeDefinition { return try definition.makeNode(at: place, &context) }
    guard let definition = self as? any OperatorDefinition else {
      preconditionFailure("the operator '\(spec.name)' makes a node or a machine")
    }
    let machine: any Machine = try definition.makeMachine(&context)
    return place.node(running: machine)
  }
}

/// An operator's place in a pipeline.
package struct OperatorPlace: Sendable {
  let name: String
  let pointer: JSONPointer
  let errorPolicy: ErrorPolicy
  let frameDepth: Int
  /// The upstream nodes, by port.
  let upstreams: [PipelineNode]
}

/// An operator that is steps of a program: it answers each value with at most one, or publishes once, at the end.
package protocol StepDefinition: NodeDefinition {
  /// Makes the steps. Expressions are planned here, once.
  func makeSteps(_ context: inout OperatorContext) throws(Diagnostics) -> Steps
}

extension StepDefinition {
  package func makeNode(
    at place: OperatorPlace, _ context: inout OperatorContext
  ) throws(Diagnostics) -> PipelineNode {
    place.node(running: try makeSteps(&context), context)
  }
}

/// An operator that runs as a machine.
///
/// ```swift
/// /// An operator of the app: publishes the numbers within a range.
/// struct Within: OperatorDefinition {
///   var low: Double
///   var high: Double
///
///   func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
///     context.outputType = context.inputType
///     return WithinMachine(low: low, high: high)
///   }
///
///   static let spec = OperatorSpec(
///     "app.within", "Publishes the numbers within a range.",
///     fields: [
///       .required("low", .number(-1e9...1e9), "Lowest number."),
///       .required("high", .number(-1e9...1e9), "Highest number."),
///     ],
///     examples: [
///       .marbles(
///         "a peak", #"{"app.within": {"low": 0, "high": 5}}"#, in: "-a-b-a|", out: "-a---a|",
///         values: ["a": 1, "b": 9])
///     ])
/// }
/// ```
public protocol OperatorDefinition: OperatorFields {
  associatedtype OperatorMachine: Machine

  /// Makes the machine in its initial state, which each subscription copies. Expressions are planned here, once.
  func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> OperatorMachine
}

extension OperatorDefinition {
  public var keepsState: Bool { OperatorMachine.State.self != Stateless.self }
  public var stateForm: String { String(reflecting: OperatorMachine.State.self) }
}

/// An upstream of an operator, and its place in the operator's fields.
///
/// ```swift
/// var joined: [JoinedStream] { with.joined }
/// ```
public struct JoinedStream: Sendable {
  /// The origin of a stream's values.
  package enum Kind: Sendable {
    case reference(StreamReference)
    /// Operators over the values that the machine feeds (`Effects.feed`); at most `limit` values wait for them. They are
    /// values of upstream, or elements computed from these.
    case fed([PlacedOperator], limit: Int, isElement: Bool)
  }

  package let kind: Kind
  public let pointer: JSONPointer
  /// The variables of its expressions, if it is started for an event (`Effects.subscribe(to:on:capturing:)`); nil
  /// otherwise.
  package let captures: [Capture]?

  /// Creates an upstream that is subscribed to once, or for an event whose values its expressions see as `captures`.
  public init(reference: StreamReference, pointer: JSONPointer, captures: [Capture]? = nil) {
    kind = .reference(reference)
    self.pointer = pointer
    self.captures = captures
  }

  /// Creates an upstream of operators over the values that the machine feeds to each subscription.
  init(
    operators: [PlacedOperator], pointer: JSONPointer, limit: Int, captures: [Capture] = [], isElement: Bool = false
  ) {
    kind = .fed(operators, limit: limit, isElement: isElement)
    self.pointer = pointer
    self.captures = captures
  }
}

extension JoinedStream {
  /// A variable of an inner stream that describes the event it was started for.
  public struct Capture: Sendable {
    let name: String
    /// The variable's type; nil for the type of upstream's values.
    let type: CELType?
    /// Whether the value is another one for each inner stream.
    let isDistinct: Bool

    /// A variable with a value of upstream.
    public static func upstream(_ name: String) -> Capture { Capture(name: name, type: nil, isDistinct: false) }
    /// A variable with another value of a known type.
    public static func fixed(_ name: String, _ type: CELType) -> Capture {
      Capture(name: name, type: type, isDistinct: name == "outerIndex" || name == "windowIndex")
    }
    /// A variable with the key of a group.
    static func key(_ name: String) -> Capture { Capture(name: name, type: .dyn, isDistinct: true) }

    /// The variable, where upstream has values of a type.
    func variable(over upstream: CELType) -> Variable { Variable(name, type ?? upstream, isDistinct: isDistinct) }
  }
}

extension StreamReferences {
  /// The upstreams of a field `with`.
  public var joined: [JoinedStream] {
    all.enumerated().map { JoinedStream(reference: $1, pointer: JSONPointer(["with", String($0)])) }
  }
}
