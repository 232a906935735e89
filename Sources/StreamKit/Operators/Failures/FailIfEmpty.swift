public import StreamCore
public import StreamEngine

extension Operator {
  /// Fails if upstream finishes without a value.
  ///
  /// - Failure: `S407`, with the error.
  public struct FailIfEmpty: OperatorDefinition, ExercisedFields {
    /// The error, any JSON value. If it is an object with `message`, that is the text to show. By default the message
    /// says that there was no value.
    public var error: Value?

    public init(error: Value? = nil) {
      self.error = error
    }
  }
}

extension Operator.FailIfEmpty {
  public func makeMachine(_ context: inout OperatorContext) throws(Diagnostics) -> some Machine {
    FailIfEmptyMachine(
      failure: error.map { StreamFailure(payload: $0) }
        ?? StreamFailure(.streamFailed, "the stream finished without a value"))
  }
}

private struct FailIfEmptyMachine: Machine {
  let failure: StreamFailure
  /// Whether there was no value.
  var state = true

  mutating func receive(_ value: Value, on port: Int, _ effects: Effects) {
    state = false
    effects.publish(value)
  }

  mutating func receive(_ completion: Completion, on port: Int, _ effects: Effects) throws(StreamFailure) {
    if case .finished = completion, state { throw failure }
    effects.complete(completion)
  }
}

extension Operator.FailIfEmpty {
  package static var exercise: Exercise { .emptyFinish }

  public static let spec = OperatorSpec(
    "failIfEmpty", "Fails if upstream finishes without a value.",
    fields: [
      .optional(
        "error", .value,
        "The error, any JSON value. If it is an object with `message`, that is the text to show. By default the "
          + "message says that there was no value.")
    ],
    examples: [
      .marbles("no value", #"{"failIfEmpty": {}}"#, in: "---|", out: "---#"),
      .marbles(
        "no value, with an error of the file", #"{"failIfEmpty": {"error": "no items"}}"#, in: "---|", out: "---#"),
      .marbles("one value", #"{"failIfEmpty": {}}"#, in: "-a-|", out: "-a-|"),
      .rejects("an unknown field", #"{"failIfEmpty": {"eror": 1}}"#, .unknownKey, at: "/failIfEmpty/eror"),
    ])
}
