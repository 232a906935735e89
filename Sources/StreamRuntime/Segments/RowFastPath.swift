package import StreamCore
package import StreamProgram

/// Sends rows directly to the first program of a stream while no other work is pending.
package class RowFastPath {
  /// What became of rows.
  package enum Outcome {
    /// Nothing came of those that were handed over.
    case dropped
    /// What `output` tells of the row at work.
    case emitted
    /// The stream has published `event`, unless it is nil. More events may follow: see `Execution.step`.
    case said
  }

  /// What the host is to hear first.
  package private(set) final var event: ExecutionEvent?
  final let execution: Execution
  @exclusivity(unchecked) private final var segment: SegmentStage?
  /// Whether the output of the program is the output of the stream.
  @exclusivity(unchecked) private final var isLast = true
  /// The epoch of the execution when the path was opened; another epoch invalidates the path.
  @exclusivity(unchecked) private final var epoch: UInt16 = 0
  /// The program at work, kept while the path may access it: the segment may go on in another one at any time.
  @exclusivity(unchecked) private final var program: StreamProgram.Frame? {
    didSet { running = program.map(Unmanaged.passUnretained) }
  }
  /// The same. NB: counted by `program`: here it costs nothing to look at it.
  @exclusivity(unchecked) private final var running: Unmanaged<StreamProgram.Frame>?

  init(_ execution: Execution) { self.execution = execution }

  /// Whether this is the segment, in the program, that rows go to.
  final func leads(to segment: SegmentStage) -> Bool { segment.run === program && segment === self.segment }

  /// Rows go to a segment from now on, in the program at work there.
  final func lead(to segment: SegmentStage) {
    self.segment = segment
    program = segment.run
    isLast = segment.downstreamReference == nil
  }

  /// Opens the path in the current epoch.
  final func begin() { epoch = execution.epoch }

  /// Whether the next row may go through.
  @inline(__always)
  package final var isOpen: Bool {
    guard running?._withUnsafeGuaranteedRef({ $0.takesRows }) == true else { return false }
    // If the output is that of the stream, a run causes no other work.
    return isLast || epoch == execution.epoch && execution.hasNoPendingWork
  }

  /// Runs the program for one row after the other, from the one at work on, until something comes of one, or there are
  /// no more, or the path is closed.
  ///
  /// - Parameter whole: gives all of the record at work, which a failure tells.
  package final func hand(_ rows: LineRows, whole: () -> Value) -> Outcome {
    guard let running else { return .dropped }
    var failure: ProgramFailure?
    let outcome = running._withUnsafeGuaranteedRef { run in
      do throws(ProgramFailure) {
        return try run.run(rows)
      } catch {
        failure = error
        return .dropped
      }
    }
    if failure == nil {
      if outcome == .dropped { return .dropped }
      if outcome == .emitted, isLast { return .emitted }
      if outcome == .emitted, let segment {
        event = settle(.success(.emitted), of: rows, at: segment)
        return .said
      }
    }
    settle(outcome, failure, rows, whole)
    return .said
  }

  /// The record that the program has given, if it has not been made.
  @inline(__always)
  package final var outputRecord: OutputRecord? { running?._withUnsafeGuaranteedRef { $0.outputRecord } }

  /// What the program has given.
  package final var output: RowOutput { running?._withUnsafeGuaranteedRef { $0.rowOutput } ?? .value(.null) }

  @inline(never)
  private final func settle(
    _ outcome: ProgramOutcome, _ failure: ProgramFailure?, _ rows: LineRows, _ whole: () -> Value
  ) {
    guard let segment else { return }
    if failure != nil { segment.run.tellInput(whole()) }
    program = nil
    if let failure {
      event = settle(.failure(segment.failure(failure)), of: rows, at: segment)
    } else {
      event = settle(.success(outcome), of: rows, at: segment)
    }
  }

  /// What the host is to hear first of what came of the row at work.
  func settle(
    _ outcome: Result<ProgramOutcome, StreamFailure>, of rows: LineRows, at segment: SegmentStage
  ) -> ExecutionEvent? { nil }
}

/// The fast path for rows of an input.
package final class InputFastPath: RowFastPath {
  /// The fields of rows, in their order.
  package private(set) var fields: [String] = []
  private let input: Int

  package init(_ execution: Execution, to input: Int) {
    self.input = input
    super.init(execution)
  }

  /// Lets rows through at an instant, if nothing else is to be done and the program takes them.
  package func open(at time: StreamTime) -> Bool {
    guard let instant = execution.instant(ofRowsAt: time), let segment = execution.program(of: input) else {
      return false
    }
    if !leads(to: segment) {
      guard let fields = segment.rowFields else { return false }
      self.fields = fields
      lead(to: segment)
    }
    execution.move(to: instant)
    // For the variables of its frame.
    _ = execution.effects(for: segment)
    begin()
    return true
  }

  override func settle(
    _ outcome: Result<ProgramOutcome, StreamFailure>, of rows: LineRows, at segment: SegmentStage
  ) -> ExecutionEvent? {
    execution.materializeInput()
    return execution.settle(outcome, at: segment, from: 0, 0)
  }
}

extension Execution {
  /// The program that alone receives all values of an input; nil if there is none.
  fileprivate func program(of input: Int) -> SegmentStage? {
    let stage: Unmanaged<Stage>?
    if hasElidedInput {
      stage = input == 0 ? rootReference : nil
    } else {
      guard pipeline.inputs.indices.contains(input), !pipeline.inputs[input].isCurrent,
        inputs.direct(input)?._withUnsafeGuaranteedRef({ $0.isUnlimited }) == true
      else { return nil }
      stage = route(from: input)?.pointee.program
    }
    guard let stage, stage._withUnsafeGuaranteedRef({ $0.isSegment }) else { return nil }
    return unsafeDowncast(stage.takeUnretainedValue(), to: SegmentStage.self)
  }

  /// Whether nothing has to be delivered.
  fileprivate var hasNoPendingWork: Bool { stack.count == 0 && ended.isEmpty && !isEnded && aside?.isSilent != false }

  /// The instant at which rows sent at a time are processed; nil if a timer is due before it.
  fileprivate func instant(ofRowsAt time: StreamTime) -> StreamTime? {
    guard hasNoPendingWork, !isWatched else { return nil }
    guard let aside else { return time }
    return aside.instant(ofSending: time)
  }
}
