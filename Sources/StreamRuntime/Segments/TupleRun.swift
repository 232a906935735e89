internal import CEL
public import StreamCore

/// An expression over one value of each of several streams at work: it keeps the values.
///
/// NB: `@unchecked`: it belongs to one machine, which is used from one place at a time.
public final class TupleRun: @unchecked Sendable {
  private let expression: TupleExpression
  private let variables: Frame
  private let count: Int
  /// The types that it is compiled for.
  @exclusivity(unchecked) private var types: [CELType]
  /// Where the values come in: memory for `count` of them, initialised until the end.
  private let inputs: UnsafeMutablePointer<CellInput>
  /// NB: counted by hand, in `init`, `begin` and `deinit`: it is looked at for every value.
  @exclusivity(unchecked) private var reference: Unmanaged<CEL.Frame>
  /// How many evaluations in a row were of other types than it is compiled for.
  @exclusivity(unchecked) private var strangeCount = 0

  /// So many make it look for other types.
  private static let patience = 32

  init(_ expression: TupleExpression, over values: [Value], _ variables: Frame, _ execution: Execution) {
    self.expression = expression
    self.variables = variables
    count = values.count
    types = values.map(CELType.likely)
    let compiled = expression.compiled(for: types)
    inputs = .allocate(capacity: count)
    for (place, input) in compiled.inputs.enumerated() { (inputs + place).initialize(to: input) }
    reference = .passRetained(CEL.Frame(compiled.program, provider: execution))
    fill(compiled, with: values)
  }

  deinit {
    reference.release()
    // Where values come in is trivial: nothing to deinitialise.
    inputs.deallocate()
  }

  private func fill(_ compiled: TupleExpression.Compiled, with values: [Value]) {
    reference._withUnsafeGuaranteedRef { frame in
      for capture in compiled.captures { frame.put(variables.value(inSlot: capture.slot), in: capture.input) }
      for (input, value) in zip(compiled.inputs, values) { frame.put(value, in: input) }
    }
  }

  /// The value of each stream.
  public var values: [Value] {
    reference._withUnsafeGuaranteedRef { frame in (0..<count).map { frame.content(of: inputs[$0]) } }
  }

  /// Puts a value in its stream's place.
  public func put(_ value: Value, at stream: Int) {
    precondition(stream >= 0 && stream < count, "a value is of one of the streams")
    reference._withUnsafeGuaranteedRef { $0.put(value, in: inputs[stream]) }
  }

  /// Puts a value in its stream's place, and what the expression gives for all values in the value's. Where it fails the
  /// stream keeps the value that it had.
  public func evaluate(_ value: inout Value, at stream: Int) throws(StreamFailure) {
    precondition(stream >= 0 && stream < count, "a value is of one of the streams")
    do throws(ProgramFailure) {
      let isStrange = try reference.use { frame throws(ProgramFailure) in
        try frame.run(replacing: &value, in: inputs[stream])
        return frame.isOutOfType
      }
      if isStrange { lookForTypes() } else if strangeCount > 0 { strangeCount = 0 }
    } catch {
      var tuple = values
      tuple[stream] = value
      throw expression.expression.failure(error.reason, .list(tuple))
    }
  }

  /// Values of other types than before come for good: goes on with a program for those.
  @inline(never)
  private func lookForTypes() {
    strangeCount += 1
    guard strangeCount == Self.patience else { return }
    strangeCount = 0
    let values = values
    let found = values.map(CELType.likely)
    guard found != types else { return }
    types = found
    let compiled = expression.compiled(for: found)
    for (place, input) in compiled.inputs.enumerated() { inputs[place] = input }
    let old = reference
    reference = .passRetained(old._withUnsafeGuaranteedRef { $0.renewed(for: compiled.program) })
    old.release()
    fill(compiled, with: values)
  }
}
