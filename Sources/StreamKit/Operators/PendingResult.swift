internal import StreamCore
internal import StreamRuntime

/// The one result of an operator that summarises: held until somebody has asked for a value.
struct PendingResult: Codable, Sendable {
  private var isRequested = false
  private var result: Value?

  /// Upstream has ended: publishes the result and finishes, or fails without it.
  mutating func end(_ completion: Completion, with result: Value, _ answers: Answers) {
    if case .failure = completion { return answers.complete(completion) }
    if isRequested {
      answers.publish(result)
      answers.finish()
    } else {
      self.result = result
    }
  }

  mutating func request(_ demand: Demand, _ answers: Answers) {
    guard demand > .none, !isRequested else { return }
    isRequested = true
    if let result {
      self.result = nil
      answers.publish(result)
      answers.finish()
    }
  }
}

extension Answers {
  /// Subscribes to the upstream and asks for everything, as what summarises does.
  func subscribeToAll() {
    subscribe(to: 0)
    request(.unlimited, from: 0)
  }
}
