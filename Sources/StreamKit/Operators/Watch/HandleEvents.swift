public import StreamCore
public import StreamRuntime

extension Operator {
  /// Tells hooks of the host what passes; changes nothing.
  ///
  /// A hook is told before the event goes on: the subscription and the cancellation with `null`, a request with the
  /// number of values, or `null` for all, a value with the value, the end with `{"finished": true}` or
  /// `{"failure": …}`. The end is no cancellation, nor the other way round.
  ///
  /// - Failure: a file that names a hook which the host has not registered is refused (`S121`).
  public struct HandleEvents: OperatorDefinition {
    /// The hook that is told of the subscription.
    public var receiveSubscription: String?
    /// The hook that is told of what is asked for.
    public var receiveRequest: String?
    /// The hook that is told of every value.
    public var receiveOutput: String?
    /// The hook that is told of the end.
    public var receiveCompletion: String?
    /// The hook that is told of the cancellation.
    public var receiveCancel: String?

    public init(
      receiveSubscription: String? = nil, receiveRequest: String? = nil, receiveOutput: String? = nil,
      receiveCompletion: String? = nil, receiveCancel: String? = nil
    ) {
      self.receiveSubscription = receiveSubscription
      self.receiveRequest = receiveRequest
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
      self.receiveCancel = receiveCancel
    }
  }
}

extension Operator.HandleEvents {
  /// The hooks by the fields that name them.
  private var hooks: [(field: String, hook: String)] {
    [
      ("receiveSubscription", receiveSubscription), ("receiveRequest", receiveRequest),
      ("receiveOutput", receiveOutput), ("receiveCompletion", receiveCompletion), ("receiveCancel", receiveCancel),
    ].compactMap { field, hook in hook.map { (field, $0) } }
  }

  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    for (field, hook) in hooks { try context.requireHook(hook, field: field) }
    return HandleEventsMachine(hooks: self)
  }
}

private struct HandleEventsMachine: Machine {
  let hooks: Operator.HandleEvents

  mutating func start(_ effects: Effects) {
    tell(hooks.receiveSubscription, .null, effects)
    effects.subscribe(to: 0)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    tell(hooks.receiveRequest, demand.isUnlimited ? .null : .int(Int64(demand.count)), effects)
    effects.request(demand, from: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    tell(hooks.receiveOutput, value, effects)
    effects.publish(value)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    switch completion {
    case .finished: tell(hooks.receiveCompletion, ["finished": true], effects)
    case .failure(let failure): tell(hooks.receiveCompletion, ["failure": failure.description], effects)
    }
    effects.complete(completion)
  }

  func cancellationNotes(at pointer: JSONPointer) -> [HookEvent] {
    hooks.receiveCancel.map { [HookEvent(.hook, name: $0, message: .null, pointer: pointer)] } ?? []
  }

  private func tell(_ hook: String?, _ message: Value, _ effects: Effects) {
    if let hook { effects.note(.hook, name: hook, message: message) }
  }
}

extension Operator.HandleEvents {
  public static let spec = OperatorSpec(
    "handleEvents", "Tells hooks of the host what passes; changes nothing.",
    fields: [
      .optional("receiveSubscription", .string, "The hook that is told of the subscription."),
      .optional("receiveRequest", .string, "The hook that is told of what is asked for."),
      .optional("receiveOutput", .string, "The hook that is told of every value."),
      .optional("receiveCompletion", .string, "The hook that is told of the end."),
      .optional("receiveCancel", .string, "The hook that is told of the cancellation."),
    ],
    examples: [
      .marbles("nobody is told", #"{"handleEvents": {}}"#, in: "-a-b|", out: "-a-b|"),
      .rejects(
        "a hook that the host has not", #"{"handleEvents": {"receiveOutput": "store"}}"#, .notRegistered,
        at: "/handleEvents/receiveOutput"),
    ])
}
