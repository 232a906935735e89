public import StreamCore
public import StreamRuntime

extension Operator {
  /// Tells the host of everything that passes, as lines of text; changes nothing.
  ///
  /// The command prints the lines on standard error.
  public struct Print: OperatorDefinition {
    /// What every line begins with.
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

/// Says what Combine's `print` says.
private struct PrintMachine: Machine {
  let label: String

  mutating func start(_ answers: Answers) {
    note("receive subscription", answers)
    answers.subscribe(to: 0)
  }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    note(demand.isUnlimited ? "request unlimited" : "request max: (\(demand.count))", answers)
    answers.request(demand, from: 0)
  }

  mutating func receive(_ value: Value, on port: Int, _ answers: Answers) {
    note("receive value: (\(Self.text(of: value)))", answers)
    answers.publish(value)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ answers: Answers) {
    switch completion {
    case .finished: note("receive finished", answers)
    case .failure(let failure): note("receive error: (\(Self.text(of: failure.description)))", answers)
    }
    answers.complete(completion)
  }

  func cancellationNotes(at pointer: JSONPointer) -> [Note] {
    [Note(.line, name: label, message: .string(line("receive cancel")), pointer: pointer)]
  }

  private func note(_ text: String, _ answers: Answers) {
    answers.note(.line, name: label, message: .string(line(text)))
  }

  private static func text(of value: Value) -> String { JSONWriter.beginning(of: value, bytes: 100_000) }

  private func line(_ text: String) -> String { label.isEmpty ? text : "\(label): \(text)" }
}

extension Operator.Print {
  public static let spec = OperatorSpec(
    "print", "Tells the host of everything that passes, as lines of text; changes nothing.",
    fields: [.optional("label", .string, "What every line begins with.")],
    examples: [
      .marbles("nothing changes", #"{"print": {}}"#, in: "-a-b|", out: "-a-b|"),
      .marbles("nor does a failure", #"{"print": {"label": "here"}}"#, in: "-a#", out: "-a#"),
      .rejects("a number for a label", #"{"print": {"label": 1}}"#, .wrongType, at: "/print/label"),
    ])
}
