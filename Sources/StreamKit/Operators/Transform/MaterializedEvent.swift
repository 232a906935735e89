internal import CEL
@_spi(Engine) internal import StreamCore
internal import StreamEngine

/// An event of a stream as a value, in the format of events in files.
///
/// `{"value": …}`, `{"finished": true}` or `{"failure": …}`, with an optional time `at`.
enum MaterializedEvent {
  case value(Value)
  case finished
  case failure(Value)

  private static let valueShape = Shape(names: ["value"])
  private static let finishedShape = Shape(names: ["finished"])
  private static let failureShape = Shape(names: ["failure"])

  init(_ completion: Completion) {
    switch completion {
    case .finished: self = .finished
    case .failure(let failure): self = .failure(failure.errorValue)
    }
  }

  /// The event that a value describes.
  ///
  /// - Parameter owner: The operator that reads it, for the failure.
  init(_ value: Value, owner: String) throws(StreamFailure) {
    guard case .map(let map) = value else { throw Self.wrong(value, owner, "found \(value.describedType)") }
    let names = map.keys.compactMap(\.text).filter { $0 != "at" }
    guard let name = names.first, names.count == 1 else {
      let found = map.keys.isEmpty ? "an empty object" : "the members \(map.keys.map(JSONWriter.compact))"
      throw Self.wrong(value, owner, "found \(found)")
    }
    switch (name, map[name]) {
    case ("value", let content?): self = .value(content)
    case ("finished", .bool(true)?): self = .finished
    case ("failure", let error?): self = .failure(error)
    case ("finished", _): throw Self.wrong(value, owner, "'finished' is not true")
    default: throw Self.wrong(value, owner, "found the member '\(name)'")
    }
  }

  /// The event as a value.
  var value: Value {
    switch self {
    case .value(let value): .map(ValueMap(shape: Self.valueShape, slots: [value]))
    case .finished: .map(ValueMap(shape: Self.finishedShape, slots: [true]))
    case .failure(let error): .map(ValueMap(shape: Self.failureShape, slots: [error]))
    }
  }

  /// Whether `dematerialize`, `values` and `failures` accept values of this type.
  static func isAcceptable(_ type: CELType) -> Bool {
    switch type {
    case .map, .record: true
    default: false
    }
  }

  static let description = "events: {\"value\": …}, {\"finished\": true} or {\"failure\": …}"

  private static func wrong(_ value: Value, _ owner: String, _ found: String) -> StreamFailure {
    StreamFailure(.wrongResult, "'\(owner)' needs \(description); \(found)", value: value)
  }
}

/// Publishes a part of each materialized event, and drops events without it: the machine of `values` and `failures`.
struct EventPartMachine: Machine {
  private let owner: String
  private let part: @Sendable (MaterializedEvent) -> Value?

  init(
    _ context: inout OperatorContext, _ part: @escaping @Sendable (MaterializedEvent) -> Value?
  ) throws(Diagnostics) {
    try context.requireInput(MaterializedEvent.description, MaterializedEvent.isAcceptable)
    context.outputType = .dyn
    owner = context.name
    self.part = part
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if let part = part(try MaterializedEvent(value, owner: owner)) {
      effects.publish(part)
    } else {
      effects.request(Demand(1), from: 0)
    }
  }
}
