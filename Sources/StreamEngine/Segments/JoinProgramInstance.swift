internal import CEL
internal import StreamCore

/// A running expression over one value of each of several streams, together with the values.
final class JoinProgramInstance {
  private let expression: TupleExpression
  private let variables: Frame
  let count: Int
  /// The types that it is compiled for.
  @exclusivity(unchecked) private var types: [CELType]
  /// The input cells of the values: memory for `count` of them, initialized until `deinit`.
  let inputs: UnsafeMutablePointer<CellInput>
  /// NB: Retained manually, in `init`, `respecialize` and `deinit`, because it is read for every value.
  @exclusivity(unchecked) private(set) var reference: Unmanaged<ProgramInstance>
  /// Number of consecutive evaluations of other types than it is compiled for.
  @exclusivity(unchecked) private var mismatchCount: Int32 = 0
  /// The streams with values that wait for those of the others, one bit each.
  @exclusivity(unchecked) var waiting: UInt64 = 0
  /// The number of mismatches after which it is compiled for other types.
  private static let mismatchLimit: Int32 = 32
  init(_ expression: TupleExpression, over values: [Value], _ variables: Frame, _ execution: Execution) {
    self.expression = expression
    self.variables = variables
    count = values.count
    types = values.map(CELType.unboxed)
    let compiled = expression.compiled(for: types)
    inputs = .allocate(capacity: count)
    for (place, input) in compiled.inputs.enumerated() { (inputs + place).initialize(to: input) }
    reference = .passRetained(ProgramInstance(compiled.program, provider: execution))
    fill(compiled, with: values)
  }

  deinit {
    reference.release()
    // The input cells are trivial: there is nothing to deinitialize.
    inputs.deallocate()
  }

  private func fill(_ compiled: TupleExpression.Compiled, with values: [Value]) {
    reference._withUnsafeGuaranteedRef { frame in
      for capture in compiled.captures { frame.put(variables.value(inSlot: capture.slot), in: capture.input) }
      for (input, value) in zip(compiled.inputs, values) { frame.put(value, in: input) }
    }
  }

  /// The current value of each stream.
  var values: [Value] {
    reference._withUnsafeGuaranteedRef { frame in (0..<count).map { frame.content(of: inputs[$0]) } }
  }

  /// Stores a value as the current one of its stream.
  @inline(__always)
  func put(_ value: Value, at stream: Int) {
    reference._withUnsafeGuaranteedRef { $0.put(value, in: inputs[stream]) }
  }

  /// Stores a value as the current one of its stream, and replaces `value` with the result of the expression for all
  /// values. If the expression fails, the stream keeps its previous value.
  func forward(_ value: inout Value, at stream: Int) throws(StreamFailure) -> Forwarding {
    precondition(stream >= 0 && stream < count, "a value is of one of the streams")
    do throws(ProgramFailure) {
      let isMismatch = try reference.use { frame throws(ProgramFailure) in
        try frame.run(replacing: &value, in: inputs[stream])
        return frame.isOutOfType
      }
      if isMismatch { respecialize() } else if mismatchCount > 0 { mismatchCount = 0 }
      return .value
    } catch {
      throw failure(error, value, at: stream)
    }
  }

  private func failure(_ error: ProgramFailure, _ value: Value, at stream: Int) -> StreamFailure {
    var tuple = values
    tuple[stream] = value
    return expression.failure(error, over: tuple)
  }

  /// Counts a mismatch. Continues with a program for the current types if the types have changed permanently.
  @inline(never)
  private func respecialize() {
    mismatchCount += 1
    guard mismatchCount >= Self.mismatchLimit else { return }
    mismatchCount = 0
    let values = values
    let likely = values.map(CELType.unboxed)
    guard likely != types else { return }
    types = likely
    let compiled = expression.compiled(for: types)
    let frame = reference._withUnsafeGuaranteedRef { $0.renewed(for: compiled.program) }
    for (place, input) in compiled.inputs.enumerated() { inputs[place] = input }
    reference.release()
    reference = .passRetained(frame)
    fill(compiled, with: values)
  }
}

// MARK: Gathering

extension JoinProgramInstance {
  /// The maximum number of streams whose values can wait for each other here.
  static let gatheringLimit = UInt64.bitWidth

  /// Stores a value until there is one of each stream, then forwards the result of the expression for all of them, and
  /// removes them.
  ///
  /// - Returns: nil if a value of the stream is already waiting.
  @inline(__always)
  func gather(_ value: inout Value, at stream: Int) throws(StreamFailure) -> Forwarding? {
    precondition(stream >= 0 && stream < count, "a value is of one of the streams")
    let place = 1 as UInt64 &<< UInt64(truncatingIfNeeded: stream)
    guard waiting & place == 0 else { return nil }
    if waiting | place != UInt64.max &>> UInt64(truncatingIfNeeded: Self.gatheringLimit - count) {
      waiting |= place
      put(value, at: stream)
      return .nothing
    }
    defer { waiting = 0 }
    return try forward(&value, at: stream)
  }

  /// The values that wait for those of the other streams, by their streams.
  var gathered: [(stream: Int, value: Value)] {
    guard waiting != 0 else { return [] }
    return reference._withUnsafeGuaranteedRef { frame in
      (0..<count).filter { waiting & (1 as UInt64 &<< UInt64($0)) != 0 }.map { ($0, frame.content(of: inputs[$0])) }
    }
  }
}
