public import StreamCore
public import StreamEngine

extension Operator {
  /// Calls hooks of the host for the events of the stream, and forwards all events unchanged.
  ///
  /// A hook is called before its event is forwarded. Its argument is `null` for the subscription and the cancellation;
  /// the number of values for a request, or `null` if it is unlimited; the value; `{"finished": true}` or `{"failure":
  /// …}` for the completion. As in Combine, a completion is not a cancellation, nor the reverse.
  ///
  /// - Failure: a hook that the host has not registered is refused (`S121`).
  public struct HandleEvents: OperatorDefinition {
    /// Hook for the subscription.
    public var receiveSubscription: String?
    /// Hook for requests.
    public var receiveRequest: String?
    /// Hook for values.
    public var receiveOutput: String?
    /// Hook for the completion.
    public var receiveCompletion: String?
    /// Hook for the cancellation.
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
    case .failure(let failure): tell(hooks.receiveCompletion, ["failure": failure.errorValue], effects)
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
    "handleEvents", "Calls hooks of the host for the events of the stream, and forwards all events unchanged.",
    fields: [
      .optional("receiveSubscription", .string, "Hook for the subscription."),
      .optional("receiveRequest", .string, "Hook for requests."),
      .optional("receiveOutput", .string, "Hook for values."),
      .optional("receiveCompletion", .string, "Hook for the completion."),
      .optional("receiveCancel", .string, "Hook for the cancellation."),
    ],
    examples: [
      .marbles("no hooks", #"{"handleEvents": {}}"#, in: "-a-b|", out: "-a-b|"),
      .rejects(
        "an unknown hook", #"{"handleEvents": {"receiveOutput": "store"}}"#, .notRegistered,
        at: "/handleEvents/receiveOutput"),
    ])
}
