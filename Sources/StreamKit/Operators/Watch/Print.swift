public import StreamCore
public import StreamEngine

extension Operator {
  /// Prints all events of the stream as lines of text, and forwards them unchanged.
  ///
  /// The command writes the lines to standard error.
  public struct Print: OperatorDefinition {
    /// Prefix of every line.
    public var label: String?

    public init(label: String? = nil) {
      self.label = label
    }
  }
}

extension Operator.Print {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    PrintMachine(label: label ?? "")
  }
}

/// Prints the lines of Combine's `print`.
private struct PrintMachine: Machine {
  let label: String

  mutating func start(_ effects: Effects) {
    note("receive subscription", effects)
    effects.subscribe(to: 0)
  }

  mutating func request(_ demand: Demand, _ effects: Effects) {
    note(demand.isUnlimited ? "request unlimited" : "request max: (\(demand.count))", effects)
    effects.request(demand, from: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    note("receive value: (\(Self.text(of: value)))", effects)
    effects.publish(value)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) {
    switch completion {
    case .finished: note("receive finished", effects)
    case .failure(let failure): note("receive error: (\(Self.text(of: failure.errorValue)))", effects)
    }
    effects.complete(completion)
  }

  func cancellationNotes(at pointer: JSONPointer) -> [HookEvent] {
    [HookEvent(.line, name: label, message: .string(line("receive cancel")), pointer: pointer)]
  }

  private func note(_ text: String, _ effects: Effects) {
    effects.note(.line, name: label, message: .string(line(text)))
  }

  private static func text(of value: Value) -> String { JSONWriter.beginning(of: value, bytes: 100_000) }

  private func line(_ text: String) -> String { label.isEmpty ? text : "\(label): \(text)" }
}

extension Operator.Print {
  public static let spec = OperatorSpec(
    "print", "Prints all events of the stream as lines of text, and forwards them unchanged.",
    fields: [.optional("label", .string, "Prefix of every line.")],
    examples: [
      .marbles("events are forwarded", #"{"print": {}}"#, in: "-a-b|", out: "-a-b|"),
      .marbles("a failure is forwarded", #"{"print": {"label": "here"}}"#, in: "-a#", out: "-a#"),
      .rejects("a number as the label", #"{"print": {"label": 1}}"#, .wrongType, at: "/print/label"),
    ])
}
