package import CEL
package import StreamCore

/// The way of rows to the program that is a whole stream: for as long as nothing but that program has to do with them.
package final class RowLane {
  /// What became of rows.
  package enum Outcome {
    /// Nothing came of those that were handed over.
    case dropped
    /// What `output` tells of the row at work.
    case emitted
    /// What `event` tells, if anything, and then what `Execution.step` tells.
    case said
  }

  /// The fields of rows, in their order.
  package private(set) var fields: [String] = []
  /// What the host is to hear first.
  package private(set) var event: ExecutionEvent?

  private let execution: Execution
  private let input: Int
  @exclusivity(unchecked) private var segment: SegmentStage?
  /// The program at work, kept while the lane may look at it: the segment may go on in another one at any time.
  @exclusivity(unchecked) private var program: CEL.Frame? {
    didSet { running = program.map(Unmanaged.passUnretained) }
  }
  /// The same. NB: counted by `program`: here it costs nothing to look at it.
  @exclusivity(unchecked) private var running: Unmanaged<CEL.Frame>?

  /// Rows for an input of an execution.
  package init(_ execution: Execution, to input: Int) {
    self.execution = execution
    self.input = input
  }

  /// Lets rows through at an instant, if nothing else is to be done and the program takes them.
  package func open(at time: StreamTime) -> Bool {
    guard execution.isFolded, input == 0, execution.isAtRest, !execution.isWatched, let root = execution.root,
      root.isSegment
    else { return false }
    let segment = unsafeDowncast(root, to: SegmentStage.self)
    if segment.run !== program || segment !== self.segment {
      guard let fields = segment.rowFields else { return false }
      self.fields = fields
      self.segment = segment
      program = segment.run
    }
    execution.beginRows(of: segment, at: time)
    return true
  }

  /// Whether the next row may go through.
  @inline(__always)
  package var isOpen: Bool { running?._withUnsafeGuaranteedRef { $0.takesRows } == true }

  /// Runs the program for one row after the other, from the one at work on, until something comes of one, or there are
  /// no more, or the lane is closed.
  ///
  /// - Parameter whole: gives all of the record at work, which a failure tells.
  package func hand(_ rows: LineRows, whole: () -> Value) -> Outcome {
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
      if outcome == .emitted { return .emitted }
    }
    settle(outcome, failure, whole)
    return .said
  }

  /// The record that the program has given, if it has not been made.
  @inline(__always)
  package var outputRecord: OutputRecord? { running?._withUnsafeGuaranteedRef { $0.outputRecord } }

  /// What the program has given.
  package var output: RowOutput { running?._withUnsafeGuaranteedRef { $0.rowOutput } ?? .value(.null) }

  @inline(never)
  private func settle(_ outcome: ProgramOutcome, _ failure: ProgramFailure?, _ whole: () -> Value) {
    guard let segment else { return }
    if failure != nil { segment.run.tellInput(whole()) }
    event = execution.settle(outcome, failure, at: segment)
    program = nil
  }
}

extension Execution {
  fileprivate func beginRows(of segment: SegmentStage, at time: StreamTime) {
    move(to: aside.map { max(time, $0.horizon) } ?? time)
    // For the variables of its frame.
    _ = answers(for: segment)
  }

  fileprivate func settle(
    _ outcome: ProgramOutcome, _ failure: ProgramFailure?, at segment: SegmentStage
  ) -> ExecutionEvent? {
    unfold()
    if let failure { return refuse(segment.failure(failure), at: segment, from: 0, 0) }
    return settle(outcome, at: segment, from: 0, 0)
  }
}
