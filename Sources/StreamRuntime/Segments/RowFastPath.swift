package import StreamCore
package import StreamProgram

/// Sends rows directly to the first program of a stream while no other work is pending.
package class RowFastPath {
  /// The result of a run for rows.
  package enum Outcome {
    /// The rows taken have had no effect.
    case dropped
    /// The current row has produced `output`.
    case emitted
    /// The stream has published `event`, unless it is nil. More events may follow: see `Execution.step`.
    case said
  }

  /// The first event for the host.
  package private(set) final var event: ExecutionEvent?
  final let execution: Execution
  @exclusivity(unchecked) private final var segment: SegmentStage?
  /// Whether the output of the program is the output of the stream.
  @exclusivity(unchecked) private final var isLast = true
  /// The epoch of the execution when the path was opened; another epoch invalidates the path.
  @exclusivity(unchecked) private final var epoch: UInt16 = 0
  /// The current program, retained while the path may access it: the segment may switch to another one at any time.
  @exclusivity(unchecked) private final var program: ProgramInstance? {
    didSet { running = program.map(Unmanaged.passUnretained) }
  }
  /// An unretained copy of `program`. NB: Reading it costs no reference counting.
  @exclusivity(unchecked) private final var running: Unmanaged<ProgramInstance>?

  init(_ execution: Execution) { self.execution = execution }

  /// Whether the path sends rows to this segment and its current program.
  final func leads(to segment: SegmentStage) -> Bool { segment.run === program && segment === self.segment }

  /// Directs rows to a segment and its current program.
  final func lead(to segment: SegmentStage) {
    self.segment = segment
    program = segment.run
    isLast = segment.downstreamReference == nil
  }

  /// Opens the path in the current epoch.
  final func begin() { epoch = execution.epoch }

  /// Whether the path takes the next row.
  @inline(__always)
  package final var isOpen: Bool {
    guard running?._withUnsafeGuaranteedRef({ $0.takesRows }) == true else { return false }
    // If the output is that of the stream, a run causes no other work.
    return isLast || epoch == execution.epoch && execution.hasNoPendingWork
  }

  /// Runs the program for one row after another, beginning with the current one, until a row has an effect, the rows
  /// are exhausted, or the path is closed.
  ///
  /// - Parameter whole: Returns the complete current record, for the message of a failure.
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

  /// The output of the program, if it is a record that has not been materialized.
  @inline(__always)
  package final var outputRecord: OutputRecord? { running?._withUnsafeGuaranteedRef { $0.outputRecord } }

  /// The output of the program.
  package final var output: RowOutput { running?._withUnsafeGuaranteedRef { $0.rowOutput } ?? .value(.null) }

  @inline(never)
  private final func settle(
    _ outcome: ProgramOutcome, _ failure: ProgramFailure?, _ rows: LineRows, _ whole: () -> Value
  ) {
    guard let segment else { return }
    if failure != nil { segment.run.setFailedInput(whole()) }
    program = nil
    if let failure {
      event = settle(.failure(segment.failure(failure)), of: rows, at: segment)
    } else {
      event = settle(.success(outcome), of: rows, at: segment)
    }
  }

  /// Processes the result of the current row, and returns the first event for the host.
  func settle(
    _ outcome: Result<ProgramOutcome, StreamFailure>, of rows: LineRows, at segment: SegmentStage
  ) -> ExecutionEvent? { nil }
}

/// The fast path for rows of an input.
package final class InputFastPath: RowFastPath {
  /// The fields of rows, in their order.
  package private(set) var fields: [String] = []
  private let input: Int
  /// Number of times that the path stays closed before the program is asked again whether it takes rows, and the next
  /// such number.
  @exclusivity(unchecked) private var pause = (left: 0, next: 1)
  private static let longestPause = 256

  package init(_ execution: Execution, to input: Int) {
    self.input = input
    super.init(execution)
  }

  /// Opens the path for rows at an instant; returns false if other work is pending or the program takes no rows.
  package func open(at time: StreamTime) -> Bool {
    if pause.left > 0 {
      pause.left -= 1
      return false
    }
    guard let instant = execution.instant(ofRowsAt: time), let segment = execution.program(of: input) else {
      return false
    }
    if !leads(to: segment) {
      guard let fields = segment.rowFields else {
        pause = (pause.next, min(2 * pause.next, Self.longestPause))
        return false
      }
      pause.next = 1
      self.fields = fields
      lead(to: segment)
    }
    execution.move(to: instant)
    // Loads the variables of its frame.
    _ = execution.effects(for: segment)
    begin()
    return true
  }

  override func settle(
    _ outcome: Result<ProgramOutcome, StreamFailure>, of rows: LineRows, at segment: SegmentStage
  ) -> ExecutionEvent? {
    execution.settle(outcome, at: segment, from: 0, 0)
  }
}

extension Execution {
  /// The program that alone receives all values of an input; nil if there is none.
  fileprivate func program(of input: Int) -> SegmentStage? {
    guard pipeline.inputs.indices.contains(input), !pipeline.inputs[input].isCurrent,
      inputs.direct(input)?._withUnsafeGuaranteedRef({ $0.isUnlimited }) == true,
      let stage = route(from: input)?.pointee.program, stage._withUnsafeGuaranteedRef({ $0.isSegment })
    else { return nil }
    return unsafeDowncast(stage.takeUnretainedValue(), to: SegmentStage.self)
  }

  /// Whether there is nothing to deliver.
  fileprivate var hasNoPendingWork: Bool {
    stack.count == 0 && ended.isEmpty && !isEnded && coldState?.isSilent != false
  }

  /// The instant at which rows sent at a time are processed; nil if a timer is due before it.
  fileprivate func instant(ofRowsAt time: StreamTime) -> StreamTime? {
    guard hasNoPendingWork, !isWatched else { return nil }
    guard let coldState else { return time }
    return coldState.instant(ofSending: time)
  }
}
