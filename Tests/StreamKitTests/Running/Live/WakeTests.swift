import StreamCore
import StreamEngine
import StreamTesting
import Synchronization
import TestSupport
import Testing

@_spi(Driving) @testable import StreamKit

/// A live stream has one wake at most: it is not requested again while it is pending, and does not outlive the stream.
@Suite("A live stream has one wake at most")
struct WakeTests {
  /// The examples of all operators and sources, alone and beside a timer of an hour.
  private static let examples = ExampleStream.running
  private static let specs = Source.specs + Operator.specs

  /// A run of an example in virtual time, which ends with the iterator.
  private struct Run {
    let keeper = CountingKeeper()
    private(set) var iterator: StreamValues<Value>.Iterator?

    init(_ example: ExampleStream, withTimeout: Bool) throws {
      var json = try example.stream()
      if withTimeout, case .map(let members) = json {
        var operators = json.member("operators").map { [$0] } ?? []
        if case .list(let list)? = json.member("operators") { operators = list.elements }
        let timeout: Value = ["timeout": ["seconds": 3_600, "onTimeout": "publish"]]
        json = .map(members.setting("operators", .list(ValueList(operators + [timeout]))))
      }
      let pipeline = try StreamModel(json: json).compile(example.options)
      let feeds = pipeline.inputs.map { ($0.name, PassthroughInput<Value>()) }
      var services = HostServices()
      services.print = { _ in }
      let live = try LiveStream(pipeline, inputs: Dictionary(uniqueKeysWithValues: feeds), services: services)
      for (history, (_, feed)) in zip(try example.inputs(), feeds) {
        for event in history.events where event.time >= .zero {
          keeper.schedule(at: event.time) {
            switch event.event {
            case .value(let value): feed.send(value)
            case .finished: feed.finish()
            case .failure(let failure): feed.fail(failure)
            case .skipped, .call, .noted: break
            }
          }
        }
      }
      let keeper = keeper
      iterator = StreamValues<Value>(.newest(1)) { (live, keeper) }.makeAsyncIterator()
    }

    /// Performs actions until there are none, or their number is reached. Returns the number.
    func play(atMost limit: Int) -> Int {
      var count = 0
      while count < limit, keeper.step() { count += 1 }
      return count
    }

    mutating func end() { iterator = nil }
  }

  @Test("None is requested twice, and none outlives the stream, whenever it is canceled", arguments: examples)
  func cancellation(_ example: ExampleStream) throws {
    for withTimeout in [false, true] {
      // A stream may fail to compile with an operator behind it, whose type does not fit.
      guard var whole = try? Run(example, withTimeout: withTimeout) else { continue }
      let count = whole.play(atMost: 200)
      whole.end()
      for steps in 0...min(count, 16) {
        var run = try Run(example, withTimeout: withTimeout)
        _ = run.play(atMost: steps)
        run.end()
        let (problems, pending) = (run.keeper.problems, run.keeper.counts.pending)
        #expect(problems == [], "\(example), canceled after \(steps) steps")
        #expect(pending == 0, "\(example), canceled after \(steps) steps")
      }
      #expect(whole.keeper.problems == [], "\(example)")
      #expect(whole.keeper.counts.pending == 0, "\(example)")
      // Each event of the stream leads to one request at most.
      #expect(whole.keeper.counts.requested <= count + 1, "\(example)")
    }
  }

  @Test("The examples have wakes of all operators and sources that wait")
  func coverage() throws {
    var waiting: Set<String> = []
    for example in Self.examples {
      guard let run = try? Run(example, withTimeout: false) else { continue }
      _ = run.play(atMost: 200)
      if run.keeper.counts.requested > 0 { waiting.insert(example.name) }
    }
    let timed = Self.specs.filter { spec in spec.fields.contains { $0.kind.isTimed } }.map(\.name)
    // These compare the times of values, and wait for nothing.
    #expect(timed.filter { !waiting.contains($0) }.sorted() == ["distinct", "share"])
  }

  @Test("A completed stream has none, though a timer of an hour is set")
  func completion() throws {
    let (keeper, input) = (CountingKeeper(), PassthroughInput<Int>())
    let model = try stream(fed(#"{"timeout": {"seconds": 3600}}, {"prefix": {"count": 2}}"#, Self.oneInput)).model
    let live = try LiveStream(model, inputs: ["a": input])
    let iterator = StreamValues<Int>(.newest(1)) { (live, keeper) }.makeAsyncIterator()
    for (value, pending) in [(1, 1), (2, 0)] {
      input.send(value)
      while keeper.step(through: .zero) {}
      #expect(keeper.counts.pending == pending)
    }
    withExtendedLifetime(iterator) {}
  }

  private static let oneInput = #""inputs": {"a": {"type": "int"}}"#
  private static let shortAndLong = #"{"debounce": {"seconds": 1}}, {"timeout": {"seconds": 3600}}"#

  @Test("Beside a timer of an hour, a clock sleeps once for each short timer")
  func clock() async throws {
    let (clock, input) = (CountingClock(), PassthroughInput<Int>())
    let live = try LiveStream(stream(fed(Self.shortAndLong, Self.oneInput)).model, inputs: ["a": input])
    var iterator: StreamValues<Int>.Iterator? = live.values(of: Int.self, clock: clock).makeAsyncIterator()
    for number in 0..<100 {
      await clock.time.sleepers(1)
      input.send(number)
      // The timer of an hour, which was requested once, and the short one.
      await clock.time.sleepers(2)
      clock.time.advance(by: .seconds(1))
      let value = try await iterator?.next()
      #expect(value == number)
    }
    #expect(clock.counts.most <= 3)
    #expect(clock.counts.begun <= 102)
    iterator = nil
    while clock.counts.pending > 0 { await Task.yield() }
    #expect(clock.counts.pending == 0)
  }

  @Test("A changing stream that is canceled, completes or is released sleeps no more", .timeLimit(.minutes(1)))
  func changing() async throws {
    for way in 0..<3 {
      let (clock, input) = (CountingClock(), PassthroughInput<Int>())
      var changing: ChangingStream? = try ChangingStream(
        stream(fed(Self.shortAndLong, Self.oneInput)).model, inputs: ["a": input], clock: clock, receive: { _ in })
      for number in 0..<20 {
        input.send(number)
        await clock.time.sleepers(2)
        clock.time.advance(by: .seconds(1))
      }
      // Its sleeps are those of the new version.
      _ = try await changing?.swap(to: stream(fed(#"{"timeout": {"seconds": 7200}}"#, Self.oneInput)).model)
      switch way {
      case 0: changing?.cancel()
      case 1: input.finish()
      default: changing = nil
      }
      while clock.counts.pending > 0 { await Task.yield() }
      #expect(clock.counts.begun <= 22)
      #expect(clock.counts.most <= 3)
      withExtendedLifetime(changing) {}
    }
  }
}
