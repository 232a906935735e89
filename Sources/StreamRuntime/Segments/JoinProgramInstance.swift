internal import CEL
internal import StreamCore
internal import StreamProgram

/// A running expression over one value of each of several streams, together with the values.
final class JoinProgramInstance {
  private let expression: TupleExpression
  private let variables: Frame
  let count: Int
  /// The types that it is compiled for.
  @exclusivity(unchecked) private var types: [CELType]
  /// The input cells of the values: memory for `count` of them, initialized until `deinit`.
  let inputs: UnsafeMutablePointer<CellInput>
  /// NB: Retained manually, in `init`, `proceed` and `deinit`, because it is read for every value.
  @exclusivity(unchecked) private(set) var reference: Unmanaged<ProgramInstance>
  /// Number of consecutive evaluations of other types than it is compiled for.
  @exclusivity(unchecked) private var mismatchCount: Int32 = 0
  /// The streams with values that wait for those of the others, one bit each.
  @exclusivity(unchecked) var waiting: UInt64 = 0
  /// The segment downstream of the join, if the expression is part of that segment's program.
  @exclusivity(unchecked) private var segment: Unmanaged<SegmentStage>?
  /// Number of times that it has become part of a segment's program.
  @exclusivity(unchecked) private var joinCount = 0

  /// The number of mismatches after which it is compiled for other types.
  private static let mismatchLimit: Int32 = 32
  /// The maximum of `joinCount`: a join that often forwards values on another path is faster alone.
  private static let joinLimit = 16

  init(_ expression: TupleExpression, over values: [Value], _ variables: Frame, _ execution: Execution) {
    self.expression = expression
    self.variables = variables
    count = values.count
    types = values.map(CELType.likely)
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

  /// Stores a value as the current one of its stream, and forwards the result of the expression for all values. If the
  /// expression fails, the stream keeps its previous value.
  @inline(__always)
  func forward(_ value: inout Value, at stream: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding {
    precondition(stream >= 0 && stream < count, "a value is of one of the streams")
    guard let segment, segment._withUnsafeGuaranteedRef({ $0.runs(reference) }), mismatchCount < Self.mismatchLimit,
      !effects.execution.isWatched
    else { return try forwardAnew(&value, at: stream, effects) }
    guard let outcome = attempt(value, at: stream) else {
      try takeFailure(of: value, at: stream, through: segment)
      return .done
    }
    return segment._withUnsafeGuaranteedRef { segment in
      if outcome == .dropped, segment.isUnlimited(0) { return .nothing }
      segment.joinedOutcome = outcome
      return .done
    }
  }

  /// Becomes part of the segment downstream for the current types, or evaluates the expression alone.
  @inline(never)
  private func forwardAnew(
    _ value: inout Value, at stream: Int, _ effects: Effects
  ) throws(StreamFailure) -> Forwarding {
    if segment != nil { mismatchCount = 0 }
    if joinCount < Self.joinLimit, join(effects) { return try forward(&value, at: stream, effects) }
    try evaluate(&value, at: stream)
    return .value
  }

  /// Stores a value as the current one of its stream, and replaces `value` with the result of the expression for all
  /// values. If the expression fails, the stream keeps its previous value.
  private func evaluate(_ value: inout Value, at stream: Int) throws(StreamFailure) {
    if segment != nil { leaveSegment() }
    do throws(ProgramFailure) {
      let isMismatch = try reference.use { frame throws(ProgramFailure) in
        try frame.run(replacing: &value, in: inputs[stream])
        return frame.isOutOfType
      }
      if isMismatch { respecialize() } else if mismatchCount > 0 { mismatchCount = 0 }
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
    if values.map(CELType.likely) != types { detach() }
  }

  /// Continues in the program of the expression alone.
  private func detach() {
    let values = values
    types = values.map(CELType.likely)
    let compiled = expression.compiled(for: types)
    let frame = reference._withUnsafeGuaranteedRef { $0.renewed(for: compiled.program) }
    proceed(in: compiled, frame, with: values)
  }

  private func proceed(in compiled: TupleExpression.Compiled, _ frame: ProgramInstance, with values: [Value]) {
    for (place, input) in compiled.inputs.enumerated() { inputs[place] = input }
    let old = reference
    reference = .passRetained(frame)
    old.release()
    fill(compiled, with: values)
  }
}

// MARK: As part of a segment

extension JoinProgramInstance {
  /// Runs the program with a value as the current one of its stream; returns nil if it fails.
  @inline(__always)
  private func attempt(_ value: Value, at stream: Int) -> ProgramOutcome? {
    let (outcome, isMismatch) = reference._withUnsafeGuaranteedRef { frame in
      (frame.attempt(putting: value, in: inputs[stream], unless: TupleExpression.site), frame.isOutOfType)
    }
    // NB: The outcome of this run is yet to be processed, so the types are reconsidered before the next run.
    if isMismatch { mismatchCount += 1 } else if mismatchCount > 0 { mismatchCount = 0 }
    return outcome
  }

  /// Processes a failed run: throws a failure of the expression, and stores that of an operator for the segment.
  @inline(never)
  private func takeFailure(
    of value: Value, at stream: Int, through segment: Unmanaged<SegmentStage>
  ) throws(StreamFailure) {
    let error = reference._withUnsafeGuaranteedRef { $0.takeFailure() }
    if error.site == TupleExpression.site { throw failure(error, value, at: stream) }
    segment._withUnsafeGuaranteedRef { $0.ensureSegmentColdState().joinedFailure = error }
  }

  /// Becomes part of the program of the segment downstream of the join; returns false if that is impossible.
  @inline(never)
  private func join(_ effects: Effects) -> Bool {
    let stage = effects.stage
    guard !effects.execution.isWatched, let downstream = stage.downstream, downstream.isSegment, !downstream.isEnded,
      stage.port == 0, downstream.frameNumber == stage.frameNumber
    else {
      joinCount = Self.joinLimit
      return false
    }
    return join(unsafeDowncast(downstream, to: SegmentStage.self), effects.execution)
  }

  private func join(_ segment: SegmentStage, _ execution: Execution) -> Bool {
    joinCount += 1
    let values = values
    let types = values.map(CELType.likely)
    guard let (compiled, frame) = segment.join(expression, over: types) else { return false }
    self.types = types
    self.segment = .passUnretained(segment)
    proceed(in: compiled, frame, with: values)
    return true
  }

  /// Continues alone. The segment does so when it receives the next value.
  private func leaveSegment() {
    segment = nil
    detach()
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
  func gather(_ value: inout Value, at stream: Int, _ effects: Effects) throws(StreamFailure) -> Forwarding? {
    precondition(stream >= 0 && stream < count, "a value is of one of the streams")
    let place = 1 as UInt64 &<< UInt64(truncatingIfNeeded: stream)
    guard waiting & place == 0 else { return nil }
    if waiting | place != UInt64.max &>> UInt64(truncatingIfNeeded: Self.gatheringLimit - count) {
      waiting |= place
      put(value, at: stream)
      return .nothing
    }
    defer { waiting = 0 }
    return try forward(&value, at: stream, effects)
  }

  /// The values that wait for those of the other streams, by their streams.
  var gathered: [(stream: Int, value: Value)] {
    guard waiting != 0 else { return [] }
    return reference._withUnsafeGuaranteedRef { frame in
      (0..<count).filter { waiting & (1 as UInt64 &<< UInt64($0)) != 0 }.map { ($0, frame.content(of: inputs[$0])) }
    }
  }
}
