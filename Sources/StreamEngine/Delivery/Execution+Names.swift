public import StreamCore

/// Inputs by name. Input numbers follow the order of declaration in the file, which not every coder preserves.
extension Execution {
  /// Sends a value to an input by name.
  ///
  /// - Throws: `S301` if the stream has no such input.
  public func send(_ value: Value, to name: String, at time: StreamTime) throws(Diagnostic) {
    send(value, to: try pipeline.number(ofInput: name), at: time)
  }

  /// Finishes an input by name.
  ///
  /// - Throws: `S301` if the stream has no such input.
  public func finish(_ name: String, at time: StreamTime) throws(Diagnostic) {
    finish(try pipeline.number(ofInput: name), at: time)
  }

  /// Fails an input by name.
  ///
  /// - Throws: `S301` if the stream has no such input.
  public func fail(_ name: String, _ failure: StreamFailure, at time: StreamTime) throws(Diagnostic) {
    fail(try pipeline.number(ofInput: name), failure, at: time)
  }
}

extension Pipeline {
  fileprivate func number(ofInput name: String) throws(Diagnostic) -> Int {
    guard let number = input(named: name) else { throw unknownInput(name) }
    return number
  }

  /// Returns the diagnostic for a name that no input has.
  package func unknownInput(_ name: String) -> Diagnostic {
    let names = inputs.filter { $0.lateOf == nil }.map(\.name)
    return Diagnostic(
      .unknownInput, "the stream has no input '\(name)'",
      notes: [names.isEmpty ? "it has none" : "inputs: \(names.joined(separator: ", "))"],
      help: nearestName(to: name, among: names).map { "did you mean '\($0)'?" })
  }
}
