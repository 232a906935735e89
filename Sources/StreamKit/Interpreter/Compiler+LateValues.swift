internal import CEL
internal import StreamCore
internal import StreamEngine

// The late values of an input are values of a second input, which whatever orders the values feeds. It ends with the first.

extension Compiler {
  /// Returns the values of an input that arrive too late.
  ///
  /// - Parameters:
  ///   - pointer: The location of the source.
  ///   - nameField: The field with the name of the input.
  ///   - field: The field that chooses the late values.
  func lateValues(
    ofInput name: String, in scope: Scope, at pointer: JSONPointer, nameField: String, field: String
  ) -> CompiledStream {
    let values = input(named: name, in: scope, at: pointer.appending(nameField))
    let place = pointer.appending(field)
    guard scope.part == nil else {
      report(
        Diagnostic(
          .cannotPartition, "a late value of the input '\(name)' reaches no key", at: place, part: .key,
          help: "remove it; --late-output FILE writes the late values, and shards append them to their streams 'late'"),
        in: scope)
      return values
    }
    if let binding = scope.binding(ofInput: name) {
      if let late = binding.lateValues { return late() }
      // Values of a stream that feeds the input come in its order.
      return CompiledStream(
        .machine(
          SequenceMachine([]), name: "input", pointer: scope.origin + pointer, frameDepth: scope.frameDepth,
          isSource: true), type: values.type)
    }
    guard let declaration = scope.declaration(ofInput: name), let number = inputNumbers[name] else { return values }
    guard declaration.time?.late == .output else {
      report(
        Diagnostic(
          .conflictingFields,
          declaration.time == nil
            ? "no value of the input '\(name)' is late: it has no 'time'"
            : "late values of the input '\(name)' are not kept apart from the others", at: place, part: .key,
          help: declaration.time == nil
            ? "add \"time\": {\"expression\": \"value.time\", \"lateness\": 5, \"late\": \"output\"} to the input"
            : "write \"late\": \"output\" in the 'time' of the input"), in: scope)
      return values
    }
    let input = inputs[number]
    let late = declare(
      Pipeline.Input(
        "\(name) (late)", input.type, initialValue: nil, capacity: input.capacity, whenFull: input.whenFull, time: nil,
        lateOf: name), at: place, in: scope)
    return CompiledStream(.input(late, pointer: scope.origin + pointer), type: values.type)
  }
}
