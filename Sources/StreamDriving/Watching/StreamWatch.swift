internal import StreamCore
internal import StreamEngine
package import StreamFiles
internal import StreamKit

/// Watches a stream file while it runs, with the files that it names, and makes the running stream another one.
package final class StreamWatch {
  private let options: RunRequest
  private let console: Console
  private let report: SkipReport
  private let watch: any ChangeWatch
  /// The version before the one on trial.
  private var former: PreparedStream?
  /// The stream that runs, or ran last.
  private(set) var current: PreparedStream
  /// The version that runs, in messages; nil if versions have no numbers.
  private var label: String?
  /// The version before the one on trial, in messages.
  private var formerLabel: String?
  /// The texts read last, and those of the running stream, by file name.
  private var texts: [String: [UInt8]]
  private var runningTexts: [String: [UInt8]]
  /// Whether the file was missing when it was looked for last.
  private var isGone = false

  /// - Parameter watch: The watch that was started before the file was read.
  package init(
    _ options: RunRequest, _ current: PreparedStream, _ watch: any ChangeWatch, console: Console, report: SkipReport
  ) {
    self.options = options
    self.console = console
    self.report = report
    self.watch = watch
    self.current = current
    label = watch.label
    texts = Self.texts(of: current.loader, watch)
    runningTexts = texts
    watchFiles(of: current.loader)
  }

  /// Nanoseconds until it is to be looked for changes again.
  var untilNextLook: Int64 { watch.untilNextLook }

  /// The trial of the version with which the run begins; nil if there is none.
  var trial: SwapTrial? { watch.trial }

  /// Notes the failure with which the run ends.
  func noteEnd(_ failure: StreamFailure) { watch.noteEnd(failure) }

  /// A file that is readable while there is a new version; nil if it has to be looked for.
  var signal: FileDescriptor? { watch.signal }

  // MARK: Changes

  /// Returns the new version of the stream, if its files have changed and are valid. Errors are reported.
  func next() -> PreparedStream? { next(otherwise: "the stream keeps running unchanged", isRunning: true) }

  /// - Parameters:
  ///   - otherwise: A description of the consequence of an invalid file, for the report.
  ///   - isRunning: Whether the previous version is still running.
  private func next(otherwise: String, isRunning: Bool) -> PreparedStream? {
    guard watch.hasChanged() else { return nil }
    let wasGone = isGone
    isGone = !watch.exists
    guard !isGone else {
      if !wasGone { console.say("\(options.file): the file is gone; \(otherwise)") }
      return nil
    }
    let loader = console.makeLoader(flushes: true)
    var prepared: PreparedStream?
    var problems = Diagnostics()
    do throws(Diagnostics) {
      var options = options
      options.compile.published = watch.parameters
      let next = try PreparedStream(options, loader, console: console)
      try next.requireLateOutput(try InputClocks(of: next.version.pipeline, options.eventTime), options)
      prepared = next
    } catch {
      problems = error
    }
    watchFiles(of: loader)
    let found = Self.texts(of: loader, watch)
    if found == texts {
      watch.tell(.success(()))
      if wasGone { console.say("\(options.file): the file is back, unchanged") }
      return nil
    }
    texts = found
    guard let prepared else {
      watch.tell(.failure(problems))
      console.report(problems)
      console.say("\(options.file): \(otherwise)")
      return nil
    }
    if isRunning, found == runningTexts {
      watch.tell(.success(()))
      console.say("\(options.file): the file matches the running stream again")
      return nil
    }
    return prepared
  }

  private func use(_ next: PreparedStream) {
    current = next
    runningTexts = texts
  }

  /// Watches the files that were read, those referred to, and those of the running stream.
  private func watchFiles(of loader: FileLoader) {
    let running = current.loader.namedPaths
    watch.watch([options.file] + Set(loader.namedPaths + running).sorted())
  }

  /// The texts that were read, and that of the values that come with them.
  private static func texts(of loader: FileLoader, _ watch: any ChangeWatch) -> [String: [UInt8]] {
    var texts = Dictionary(loader.sources.map { ($0.file, $0.bytes) }) { first, _ in first }
    texts[values] = Array(JSONWriter.compact(.map(ValueMap(sorting: watch.parameters))).utf8)
    return texts
  }

  /// The name of the text of values: no file has an empty name.
  private static let values = ""

  // MARK: Swapping

  /// Continues a stream as another version. Returns the files that feed it; nil if it continues unchanged, which is
  /// reported.
  func swap(_ stream: StreamSession, _ feeds: [FileFeed], to next: PreparedStream) -> [FileFeed]? {
    let isLooks =
      next.stream.document.value == current.stream.document.value && hasSameFiles(next)
      && texts[Self.values] == runningTexts[Self.values]
    do throws(Diagnostics) {
      let swap = try stream.prepare(next.version)
      let newFeeds = try next.feeds(keeping: feeds, report)
      for feed in feeds where !newFeeds.contains(where: { $0 === feed }) { feed.retire() }
      // During a trial, the version before it stays the former one.
      if !stream.isOnTrial { (former, formerLabel) = (current, label) }
      stream.become(swap, on: watch.trial)
      label = watch.label
      use(next)
      let trial = watch.trial == nil ? "" : ", on probation"
      console.say(
        isLooks
          ? "\(options.file): only the spelling changed"
          : "\(options.file): swapped\(label.map { " to \($0)" } ?? "")\(trial); \(swap.report)")
      watch.tell(.success(()))
      return newFeeds
    } catch {
      watch.tell(.failure(error))
      console.report(error)
      console.say("\(options.file): the stream keeps running unchanged")
      return nil
    }
  }

  /// The clocks of the inputs of the version that runs.
  ///
  /// - Parameter hasTimes: Whether the run follows event time, which a new version does not change.
  func clocks(hasTimes: Bool) -> InputClocks? {
    // The expressions were checked when the version was compiled.
    guard let clocks = try? InputClocks(of: current.version.pipeline, options.eventTime) else { return nil }
    if clocks.isEmpty == hasTimes {
      console.say(
        "\(options.file): the run keeps its clock; start it again to run \(hasTimes ? "without" : "by") the times of its values"
      )
      return nil
    }
    return clocks
  }

  /// Follows a stream that has returned to the version before the one on trial. Returns the files that feed it; nil if
  /// they cannot be opened, which is reported.
  func rollBack(after failure: StreamFailure, _ feeds: [FileFeed]) -> [FileFeed]? {
    guard let former else { return nil }
    console.report(current.explanation.diagnostic(of: failure))
    do throws(Diagnostics) {
      let newFeeds = try former.feeds(keeping: feeds, report)
      for feed in feeds where !newFeeds.contains(where: { $0 === feed }) { feed.retire() }
      let (failed, continuing) = (label ?? "the new version", formerLabel ?? "the one before")
      console.say("\(options.file): \(failed) has failed; \(continuing) continues, with its state")
      label = formerLabel
      use(former)
      return newFeeds
    } catch {
      console.report(error)
      return nil
    }
  }

  private func hasSameFiles(_ next: PreparedStream) -> Bool {
    let before = Dictionary(current.loader.streams.map { ($0.identity, $0.document.value) }) { first, _ in first }
    let after = Dictionary(next.loader.streams.map { ($0.identity, $0.document.value) }) { first, _ in first }
    return before == after
  }

  // MARK: The end

  /// Waits until the files have changed and are valid, after the stream has ended. Returns false if the program is
  /// asked to stop.
  func waitForNext() -> Bool {
    while !Interruption.hasHappened {
      if let prepared = next(otherwise: "waiting for the next change", isRunning: false) {
        use(prepared)
        console.say("\(options.file): changed; restarting")
        return true
      }
      _ = Waiting.readable([], nanoseconds: untilNextLook + 1)
    }
    return false
  }
}
