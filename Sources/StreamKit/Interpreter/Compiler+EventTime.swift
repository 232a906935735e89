internal import CEL
internal import StreamCore
internal import StreamEngine

// The clocks of inputs: each is checked once, where it is declared, by an input or by the partition of its values.

extension Compiler {
  /// Returns when the values of an input happened, as the input or the partition around it says; nil if neither does.
  func time(of input: InputDeclaration, named name: String, in scope: Scope) -> InputTime? {
    let place = scope.pointer + JSONPointer(["inputs", name, "time"])
    if let time = input.time {
      check(
        time.expression, field: "expression", of: "time", at: place, over: input.declaredType(in: scope.types),
        in: scope)
    }
    guard let partition = scope.model.partition, let time = partition.time,
      case .input(let source) = scope.model.source, source.name == name
    else { return input.time.map { readable($0.inputTime, in: scope) } }
    let partitionPlace = scope.pointer.appending("partition")
    check(
      time, field: "time", of: "partition", at: partitionPlace, over: input.declaredType(in: scope.types), in: scope)
    guard input.time == nil else {
      report(
        Diagnostic(
          .conflictingFields, "the input '\(name)' says when its values happened, and so does 'partition'",
          at: partitionPlace.appending("time"), part: .key, help: "remove 'time', 'lateness' and 'late' here"),
        in: scope)
      return input.time?.inputTime
    }
    return partition.inputTime.map { readable($0, in: scope) }
  }

  /// A clock with the parameters that its expression can see.
  private func readable(_ time: InputTime, in scope: Scope) -> InputTime {
    var time = time
    time.constants = scope.parameters.values
    return time
  }

  /// Checks the expression for the time of a value.
  ///
  /// - Parameters:
  ///   - field: The name of the field with the expression.
  ///   - owner: The object with the field, for messages.
  ///   - place: The location of the owner.
  private func check(
    _ time: CELExpression, field: String, of owner: String, at place: JSONPointer, over type: CELType, in scope: Scope
  ) {
    let variables = [Variable("value", type)]
    let pointer = place.appending(field)
    record?.note(variables, at: scope.origin + pointer)
    do throws(Diagnostics) {
      let planned = try OperatorContext.plan(
        time, owner: owner, field: field, at: place, over: variables, capturing: [], result: .dyn,
        options: options(in: scope), using: memory)
      record?.add(
        CompileRecord.Planned(field: field, expression: time.text, plan: planned.plan), at: scope.origin + place)
      switch planned.plan.resultType {
      case .dyn, .timestamp, .int, .uint, .double: break
      case let other:
        report(
          Diagnostic(
            .invalidEventTime, "the time has the type \(other); expected a timestamp, or a number of units since 1970",
            at: pointer, part: .text(0..<time.text.utf8.count), help: EventTimeHelp.help(for: other)), in: scope)
      }
    } catch {
      report(error.prefixed(by: place), in: scope)
    }
  }
}
