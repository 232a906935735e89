import Foundation
import StreamCombine
@_spi(Engine) import StreamCore
import StreamEngine
import Synchronization
import Testing

@_spi(Driving) @testable import StreamKit

/// Random stream files as an app runs them, beside the model in Python, which shares nothing with the engine.
///
/// `REFERENCE_FILES=10000 REFERENCE_SEED=7` runs other files than the first 100; `REFERENCE_CASES=FILE` runs the lines of
/// a file, as `minimize_app.py` does to find a smaller one that differs.
@Suite("An app receives what the reference says", .serialized)
struct ReferenceTests {
  fileprivate static let pythonPath: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  private static let cases = Result { try lines().map { try ReferenceCase($0) } }

  /// The lines that Python prints, in at most a few seconds for the default.
  private static func lines() throws -> [Value] {
    let environment = ProcessInfo.processInfo.environment
    let text: Data
    if let path = environment["REFERENCE_CASES"] {
      text = try Data(contentsOf: URL(fileURLWithPath: path))
    } else {
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Reference/Model/cases.py")
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: try #require(pythonPath))
      process.arguments = [
        script.path, "--files", environment["REFERENCE_FILES"] ?? "100", "--seed", environment["REFERENCE_SEED"] ?? "1",
      ]
      process.environment = environment.merging(["PYTHONUTF8": "1"]) { $1 }
      process.standardOutput = output
      try process.run()
      text = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0, "cases.py has failed")
    }
    var reader = JSONReader()
    return try text.split(separator: UInt8(ascii: "\n")).map { try reader.read(Array($0)) }
  }

  @Test("Reference cases as a publisher", .enabled(if: ReferenceTests.pythonPath != nil, "Python is not installed"))
  func publisher() async throws {
    var tally = Tally("publisher")
    for item in try Self.cases.get() {
      let delivery: StreamDelivery = item.seed % 3 == 0 ? .onScheduler : .immediate
      let (time, calls) = (ReferenceTime(), ReferenceCalls(item.calls))
      let feeds = item.feeds.map { ($0.input, ReferenceFeed($0.kind)) }
      guard let stream = tally.stream(item, feeds, calls) else { continue }
      let probe = TimedProbe(time)
      // Values that are sent before the subscription are lost.
      if delivery == .immediate { time.schedule(item, feeds) }
      stream.publisher(scheduler: ReferenceScheduler(time: time), delivery: delivery).subscribe(probe)
      if delivery == .onScheduler { time.schedule(item, feeds) }
      await time.play(calls) { probe.heard.isOver }
      probe.cancel()
      calls.releaseAll()
      time.scheduler.clear()
      tally.compare(item, item.published, item.followsData ? probe.heard.withoutTimes : probe.heard, calls)
    }
    tally.report()
  }

  @Test(
    "Reference cases whose time follows the values, as a changing stream",
    .enabled(if: ReferenceTests.pythonPath != nil, "Python is not installed"))
  func changingStream() async throws {
    var tally = Tally("changing stream")
    for item in try Self.cases.get() where item.followsData {
      let feed = ReferenceFeed(item.feeds[0].kind)
      let heard = Mutex(HeardEvents())
      let (counts, count) = AsyncStream.makeStream(of: Int.self)
      let handle = { @Sendable (event: ReferenceCase.Event) in
        heard.withLock { heard in
          heard.append(event, at: 0)
          count.yield(heard.events.count)
        }
      }
      guard let model = tally.model(item),
        let stream = try? ChangingStream(
          model, inputs: ["a": feed.feed], options: item.options, clock: JumpingClock(),
          receive: { handle(.value($0)) },
          end: { completion in
            switch completion {
            case .finished: handle(.finished)
            case .failure(let failure): handle(.failure(code: failure.code, error: failure.payload))
            }
            count.finish()
          })
      else { continue }
      for sent in item.sent { feed.send(sent.event) }
      // Some streams do not end.
      let wanted = item.published.events.count
      if wanted > 0 { for await number in counts where number >= wanted { break } }
      stream.cancel()
      tally.compare(item, item.published, heard.withLock { $0 }, ReferenceCalls([]))
    }
    tally.report()
  }

  @Test(
    "Reference cases as an asynchronous sequence",
    .enabled(if: ReferenceTests.pythonPath != nil, "Python is not installed"))
  func values() async throws {
    var tally = Tally("values")
    for item in try Self.cases.get() where !item.followsData {
      let (time, calls, executor) = (ReferenceTime(), ReferenceCalls(item.calls), ManualExecutor())
      let feeds = item.feeds.map { ($0.input, ReferenceFeed($0.kind)) }
      guard let stream = tally.stream(item, feeds, calls) else { continue }
      let values: StreamValues<Value> =
        item.hasTimers
        ? StreamValues(.demand) { (stream, ReferenceKeeper(time)) } : stream.values(bufferingPolicy: .demand)
      let heard = Mutex(HeardEvents())
      let handle = { @Sendable (event: ReferenceCase.Event) in
        heard.withLock { $0.append(event, at: time.scheduler.now.nanoseconds) }
      }
      time.schedule(item, feeds)
      let task = Task(executorPreference: executor) {
        do {
          for try await value in values { handle(.value(value)) }
          handle(.finished)
        } catch let failure as StreamFailure {
          handle(.failure(code: failure.code, error: failure.payload))
        }
      }
      await time.play(calls, pump: executor.run) { heard.withLock(\.isOver) }
      let result = heard.withLock { $0 }
      task.cancel()
      executor.run()
      calls.releaseAll()
      time.scheduler.clear()
      tally.compare(item, item.awaited, result, calls)
    }
    tally.report()
  }
}

/// A clock that shows the latest time for which a task has slept.
private final class JumpingClock: Clock {
  typealias Instant = ContinuousClock.Instant

  private let shown = Mutex(ContinuousClock.now)

  var now: Instant { shown.withLock { $0 } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    shown.withLock { $0 = max($0, deadline) }
  }
}

extension ReferenceTime {
  /// Schedules what the case sends.
  fileprivate func schedule(_ item: ReferenceCase, _ feeds: [(input: String, feed: ReferenceFeed)]) {
    for sent in item.sent {
      guard let feed = feeds.first(where: { $0.input == sent.input })?.feed else { continue }
      scheduler.schedule(after: VirtualInstant(nanoseconds: sent.time)) { feed.send(sent.event) }
    }
  }
}

/// A subscriber with unlimited demand that records its events with their times.
private final class TimedProbe: Subscriber {
  typealias Input = Value
  typealias Failure = StreamFailure

  private(set) var heard = HeardEvents()
  private let time: ReferenceTime
  private var subscription: (any Subscription)?

  init(_ time: ReferenceTime) { self.time = time }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
  }

  func receive(_ value: Value) -> Subscribers.Demand {
    heard.append(.value(value), at: time.scheduler.now.nanoseconds)
    return .none
  }

  func receive(completion: Subscribers.Completion<StreamFailure>) {
    switch completion {
    case .finished: heard.append(.finished, at: time.scheduler.now.nanoseconds)
    case .failure(let failure): heard.append(failure, at: time.scheduler.now.nanoseconds)
    }
  }

  func cancel() {
    subscription?.cancel()
    subscription = nil
  }
}

/// Counts the cases of a door, and reports those that differ.
private struct Tally {
  private let door: String
  private var agreeing = 0
  private var refused = 0
  private var differing = 0
  private var known: [String: Int] = [:]

  /// Maximum number of cases that are shown.
  private static let shown = 10

  init(_ door: String) { self.door = door }

  /// Compiles the file of a case; nil if it is refused, as some random files are.
  mutating func stream(
    _ item: ReferenceCase, _ feeds: [(input: String, feed: ReferenceFeed)], _ calls: ReferenceCalls
  ) -> LiveStream? {
    var services = HostServices()
    services.print = { _ in }
    for name in item.functions { services.function(name, of: { try await calls.answer(name, $0) }) }
    do throws(Diagnostics) {
      let inputs = Dictionary(uniqueKeysWithValues: feeds.map { ($0.input, $0.feed.feed) })
      return try LiveStream(
        try StreamModel(parsing: item.file), inputs: inputs, services: services, options: item.options)
    } catch {
      refused += 1
      return nil
    }
  }

  /// The model of a case; nil if it is refused.
  mutating func model(_ item: ReferenceCase) -> StreamModel? {
    do throws(Diagnostics) {
      let model = try StreamModel(parsing: item.file)
      _ = try model.compile(item.options)
      return model
    } catch {
      refused += 1
      return nil
    }
  }

  mutating func compare(
    _ item: ReferenceCase, _ expected: HeardEvents, _ found: HeardEvents, _ calls: ReferenceCalls
  ) {
    let problems = found == expected ? calls.problems : ["the events differ"]
    guard !problems.isEmpty else {
      agreeing += 1
      return
    }
    if let finding = item.line.member("known")?.member(door)?.text {
      known[finding, default: 0] += 1
      return
    }
    differing += 1
    guard differing <= Self.shown else { return }
    Issue.record(
      """
      seed \(item.seed), \(door): \(problems.joined(separator: "; "))
      \(item.file)
      feeds \(item.text("feeds")), calls \(item.text("calls"))
      fed \(item.text("fed"))
      expected
      \(expected.description)
      got
      \(found.description)
      """)
  }

  func report() {
    let others = known.sorted { $0.key < $1.key }.map { ", \($0.value) known as \($0.key)" }.joined()
    print("reference by \(door): \(agreeing) agree, \(differing) differ, \(refused) are refused\(others)")
    #expect(differing == 0)
    #expect(agreeing > 0)
  }
}
