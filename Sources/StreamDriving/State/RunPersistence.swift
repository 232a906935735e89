internal import StreamCore
internal import StreamEngine
internal import StreamFiles
internal import StreamKit

/// The state of a run on disk: what the run continues from, and where it is saved.
package struct RunPersistence {
  let folder: StateFolder
  let request: StateRequest
  /// The state that the run continues from; nil if it begins again.
  private(set) var saved: SavedRun?
  /// The version of the stream that was saved, if the run has another one.
  private(set) var former: StreamVersion?
  /// Whether there was a state that the run does not continue, as it was asked for.
  private(set) var isReset = false

  /// Opens the folder and reads its newest state.
  ///
  /// - Throws: Why the run cannot continue from it.
  init(_ request: StateRequest, _ options: RunRequest, _ prepared: PreparedStream, _ console: Console)
    throws(Diagnostics)
  {
    self.request = request
    folder = try Diagnostics.listing { () throws(Diagnostic) in try StateFolder.opening(request.folder) }
    do throws(Diagnostics) {
      (saved, former) = try Self.read(folder, options, prepared)
    } catch {
      guard request.mismatch == .reset else { throw error }
      for problem in error.all { console.report(problem.asWarning("the run begins again")) }
      (saved, former, isReset) = (nil, nil, true)
    }
  }

  private static func read(
    _ folder: StateFolder, _ options: RunRequest, _ prepared: PreparedStream
  ) throws(Diagnostics) -> (SavedRun?, StreamVersion?) {
    let newest = try Diagnostics.listing { () throws(Diagnostic) in try folder.newest() }
    guard let saved = newest?.saved else { return (nil, nil) }
    let clock = SavedRun.Clock.Kind(of: options, prepared)
    guard clock == saved.content.clock.kind, options.eventTime.expression == saved.content.clock.expression else {
      throw Diagnostics(
        .snapshotMismatch,
        "the state in '\(folder.path)' was saved by a run with \(saved.content.clock.words), and this run has "
          + SavedRun.Clock(kind: clock, expression: options.eventTime.expression, origin: Timestamp(seconds: 0)).words,
        help: "run with the same options, or begin again with --state-mismatch reset")
    }
    if RecordedStream(prepared).isSame(as: saved.content.stream) { return (saved, nil) }
    guard let mismatch = options.state?.mismatch, mismatch == .keep else {
      throw Diagnostics(
        .snapshotMismatch, "the state in '\(folder.path)' is of another version of '\(options.file)'",
        help: "--state-mismatch keep continues with its state, as far as possible; reset begins again")
    }
    do throws(Diagnostics) {
      return (saved, try saved.content.stream.version(prepared.loader))
    } catch {
      throw Diagnostics(
        .snapshotMismatch,
        "the version of the stream that the state in '\(folder.path)' belongs to is not valid here: "
          + (error.all.first?.message ?? ""),
        help: "begin again with --state-mismatch reset")
    }
  }

  /// The state of a stream that begins again in the same folder.
  var renewed: RunPersistence {
    var persistence = self
    (persistence.saved, persistence.former) = (nil, nil)
    return persistence
  }

  /// How the outputs use existing files.
  var continuation: OutputContinuation { saved != nil ? .resume : isReset ? .replace : .append }

  /// How long the stream had waited since its latest event when it was saved.
  ///
  /// NB: Without it, a timer that is due after a day without events would begin again with each run.
  var waited: Interval { Interval(nanoseconds: max(0, saved?.content.waited ?? 0)) }

  /// The calendar time of the latest event of a stream that continues now, as if it had waited until now.
  func latest(before now: Timestamp) -> Timestamp {
    Timestamp(seconds: now.seconds, nanoseconds: Int64(now.nanoseconds) - waited.nanoseconds)
  }

  /// Whether the stream has completed in an earlier run.
  var hasEnded: Bool { saved?.content.end != nil }

  /// Says from which line on a pipe that was read before has to be fed.
  func describePipes(_ feeds: [FileFeed], _ console: Console) {
    guard let saved, !request.feedsAgain else { return }
    for feed in feeds where !feed.isRegular && !feed.follows {
      guard let position = saved.content.inputs.first(where: { $0.input == feed.name }), !position.isDone,
        position.place.offset > 0
      else { continue }
      console.say(
        "note: the input '\(feed.name)' continues at line \(position.place.line); "
          + "with --refeed, what has been read of it is skipped")
    }
  }

  /// Returns what is saved of a run; nil if it cannot be saved now.
  ///
  /// - Parameter queues: The records that have been read; nil if time goes by the clock of the machine.
  func state(of session: RunSession, _ run: StreamRun, _ queues: RecordQueues?) throws -> SavedRun? {
    guard let state = try session.stream.save() else { return nil }
    let prepared = run.watch?.current ?? run.prepared
    return SavedRun(
      content: SavedRun.Content(
        program: ProgramVersion.text, savedAt: LiveClock().origin.rfc3339, stream: RecordedStream(prepared),
        clock: SavedRun.Clock(
          kind: SavedRun.Clock.Kind(of: run.options, prepared), expression: run.options.eventTime.expression,
          origin: queues?.origin ?? Timestamp(seconds: 0)),
        parameters: Dictionary(run.options.compile.set.map { ($0.name, $0.text) }) { $1 },
        inputs: try session.feeds.flatMap { feed throws(RunStop) in try feed.positions() },
        records: queues?.saved(session.feeds) ?? [], turn: queues?.latest ?? session.turn, outputs: [],
        writtenCount: session.writtenCount,
        end: session.end.flatMap(Completion.init), unheard: state.unheard,
        calls: Dictionary(state.calls.map { (String($0.key), $0.value) }) { $1 }, callCount: state.callCount,
        waited: session.clock.map { max(0, ($0() - session.stream.latestTime).nanoseconds) }),
      session: state)
  }
}

extension SavedRun.Clock.Kind {
  init(of options: RunRequest, _ prepared: PreparedStream) {
    self =
      if options.eventTime.expression != nil || prepared.version.pipeline.inputs.contains(where: { $0.time != nil }) {
        .event
      } else if options.virtual || prepared.stream.model.partition != nil {
        .virtual
      } else {
        .machine
      }
  }
}

extension SavedRun.Clock {
  /// How time passes, in words.
  fileprivate var words: String {
    switch kind {
    case .machine: "the time of the machine"
    case .virtual: "virtual time"
    case .event: expression.map { "--event-time '\($0)'" } ?? "event time"
    }
  }
}
