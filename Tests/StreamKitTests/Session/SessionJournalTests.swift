import StreamCore
import StreamEngine
import StreamTesting
import Testing

@testable import StreamKit

/// The journal of a session: its events, delivered to another session, have the same effects.
@Suite struct SessionJournalTests {
  /// Keeps all events.
  private final class Journal: SessionJournal {
    var entries: [(event: SessionEvent, time: StreamTime)] = []

    func note(_ event: SessionEvent, at time: StreamTime) { entries.append((event, time)) }
  }

  /// Returns the effects up to the next event from outside, and answers no calls.
  private func drain(_ session: StreamSession) -> [String] {
    var effects: [String] = []
    while effects.count < 2_000, let effect = session.next() {
      if case .busy = effect { continue }
      effects.append("\(session.time.nanoseconds) \(effect)")
    }
    return effects
  }

  private func deliver(_ event: SessionEvent, at time: StreamTime, to session: StreamSession) {
    switch event {
    case .value(let value, let name):
      session.send(value, to: session.execution.pipeline.input(named: name) ?? -1, at: time)
    case .unconverted(let value, let name): session.send(value, named: name, at: time)
    case .completion(let completion, let name): session.complete(name, completion, at: time)
    case .result(let result, let call): session.answer(call, result, at: time)
    case .advance: session.advance(to: time)
    case .timer: session.advanceToNextTimer(through: time)
    }
  }

  /// Replays a journal, and returns the effects.
  private func replay(_ journal: Journal, _ pipeline: Pipeline, skipsErrors: Bool) -> [String] {
    let session = StreamSession(pipeline, origin: Timestamp(seconds: 9), skipsErrors: skipsErrors)
    session.start()
    var effects = drain(session)
    for (event, time) in journal.entries {
      deliver(event, at: time, to: session)
      effects += drain(session)
    }
    return effects
  }

  @Test(
    "Random pipelines, with timers that fire alone and together", arguments: 0..<PropertyCount.cases(byDefault: 150))
  func random(_ seed: UInt64) throws {
    let random = RandomPipeline(seed: 90_000 + seed, atMost: 300)
    // Some pipelines refer to a field of a value that has none.
    guard let pipeline = try? StreamModel(json: random.model).compile(CompileOptions(host: .any)) else { return }
    var generator = SeededGenerator(seed: seed)
    let journal = Journal()
    let session = StreamSession(pipeline, origin: Timestamp(seconds: 9), skipsErrors: seed % 2 == 0)
    session.journal = journal
    session.start()
    var effects = drain(session)
    guard case .events(let events) = random.feed else { return }
    for event in events {
      while let deadline = session.nextWake, deadline < event.time, generator.below(2) == 0 {
        session.advanceToNextTimer()
        effects += drain(session)
      }
      switch event.kind {
      case .value(let value): session.send(value, to: event.input, at: event.time)
      case .finished: session.complete(event.input, .finished, at: event.time)
      case .failed:
        session.complete(event.input, .failure(StreamFailure(.streamFailed, "no")), at: event.time)
      case .advanced: session.advance(to: event.time)
      }
      effects += drain(session)
    }
    for _ in 0..<20 where session.advanceToNextTimer() { effects += drain(session) }
    let replayed = replay(journal, pipeline, skipsErrors: seed % 2 == 0)
    #expect(replayed == effects, "seed \(seed): \(JSONWriter.compact(random.model))")
  }

  @Test("Results of calls are in the journal, by the numbers of the session")
  func calls() throws {
    let model = try StreamModel(
      json: [
        "inputs": ["a": [:]], "source": ["input": ["name": "a"]],
        "operators": [["flatMap": ["stream": ["source": ["call": ["function": "f"]]]]]],
      ])
    let pipeline = try model.compile(CompileOptions(host: .any))
    let journal = Journal()
    let session = StreamSession(pipeline, origin: Timestamp(seconds: 9))
    session.journal = journal
    var made: [Int64] = []
    session.noteCall = { made.append($0.id) }
    session.start()
    var effects = drain(session)
    for number: Int64 in 1...3 {
      session.send(.int(number), to: 0, at: StreamTime(seconds: Double(number)))
      effects += drain(session)
    }
    for call in made.reversed() {
      session.answer(
        call, call == 1 ? .failure(StreamFailure(.callFailed, "no")) : .success(.int(call)), at: StreamTime(seconds: 5))
      effects += drain(session)
    }
    #expect(made == [0, 1, 2])
    let replayed = replay(journal, pipeline, skipsErrors: false)
    #expect(replayed == effects)
    #expect(journal.entries.count == 6 || journal.entries.count == 5)
  }
}
