#if canImport(Observation)
import Foundation
import Observation
import StreamKit
import StreamTesting
import Testing

@testable import AlarmApp

@Suite("Programs: an app that watches a temperature", .timeLimit(.minutes(1)))
@MainActor struct AlarmModelTests {
  private let rules: String
  private let folder: URL

  init() throws {
    rules = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/AlarmApp/Rules/alarm.json"), encoding: .utf8)
    folder = FileManager.default.temporaryDirectory.appending(path: "alarm-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Waits until a condition holds that depends on observed properties.
  private func wait(until condition: @MainActor () -> Bool) async {
    while true {
      let (changes, mail) = AsyncStream.makeStream(of: Void.self)
      let holds = withObservationTracking(condition) { mail.finish() }
      if holds { return }
      for await _ in changes {}
      await Task.yield()
    }
  }

  /// Measures, and waits for the reading.
  private func measure(_ celsius: Double, with model: AlarmModel) async {
    let count = model.readings.count
    model.celsius.send(celsius)
    await wait { model.readings.count > count }
  }

  private func begin(_ model: AlarmModel) async -> Task<Void, Never> {
    let task = Task { await model.follow() }
    await Task.yield()
    return task
  }

  @Test("The tests of the rules pass")
  func rulesPass() throws {
    let file = try StreamFile(JSONDocument(reading: rules, file: "alarm.json"), identity: "alarm.json")
    let outcomes = try TestRunner(file).run()
    #expect(outcomes.count == 1)
    #expect(outcomes.flatMap(\.differences) == [])
  }

  @Test("Controls that are bound to inputs decide, and a function of the main actor is called")
  func bindings() async throws {
    let model = try AlarmModel(rules: rules)
    let task = await begin(model)
    await measure(31, with: model)
    model.limit.value = 35
    model.settings.room = "Cellar"
    await measure(32, with: model)
    await wait { model.settings.status == "Cellar: 32.0 °C" }
    #expect(model.readings.map(\.isAlarm) == [false, true])
    #expect(model.readings.map(\.room) == ["Cellar", "Kitchen"])
    #expect(model.readings.first?.highest == 32)
    #expect(model.problem == nil)
    task.cancel()
  }

  @Test("A view that shows an input is updated when it changes")
  func inputsAreObservable() async throws {
    let model = try AlarmModel(rules: rules)
    let (changes, mail) = AsyncStream.makeStream(of: Void.self)
    let shown = withObservationTracking {
      model.limit.value
    } onChange: {
      mail.finish()
    }
    model.limit.value = 12
    for await _ in changes {}
    #expect(shown == 30)
    #expect(model.limit.value == 12)
  }

  @Test("Rules are replaced while the app runs, and refused with their place if they are wrong")
  func newRules() async throws {
    let model = try AlarmModel(rules: rules)
    let task = await begin(model)
    await measure(31, with: model)
    await model.use(rules.replacing("reading.celsius > limit", with: "reading.celsius > limit + extra"))
    #expect(model.problem?.contains("downloaded.json:18:") == true)
    await model.use(rules.replacing("reading.celsius > limit", with: "reading.celsius > limit + 5.0"))
    #expect(model.problem == nil)
    await measure(31, with: model)
    #expect(model.readings.map(\.isAlarm) == [false, true])
    #expect(model.readings.map(\.id) == [2, 1])
    task.cancel()
  }

  @Test("The app is saved in the background, ended, launched again, and continues")
  func relaunch() async throws {
    let file = folder.appending(path: "state.json")
    do {
      let model = try AlarmModel.launch(rules: rules, from: file)
      let task = await begin(model)
      model.limit.value = 20
      await model.use(rules.replacing("acc.id + 1", with: "acc.id + 10"))
      await measure(25, with: model)
      try await model.save(to: file)
      task.cancel()
    }
    let model = try AlarmModel.launch(rules: rules, from: file)
    #expect(model.limit.value == 20)
    #expect(model.readings.map(\.id) == [10])
    let task = await begin(model)
    await measure(19, with: model)
    #expect(model.readings.first == .init(id: 20, celsius: 19, highest: 25, isAlarm: false, room: "Kitchen"))
    #expect(model.problem == nil)
    task.cancel()
  }

  @Test("A saved state that a newer version of the app cannot use is dropped")
  func foreignState() async throws {
    let file = folder.appending(path: "state.json")
    let model = try AlarmModel.launch(rules: rules, from: file)
    let task = await begin(model)
    await measure(25, with: model)
    try await model.save(to: file)
    task.cancel()
    let text = try String(contentsOf: file, encoding: .utf8)
    try text.replacing("acc.id + 1", with: "acc.id + two").write(to: file, atomically: true, encoding: .utf8)
    let next = try AlarmModel.launch(rules: rules, from: file)
    #expect(next.readings.isEmpty)
  }
}
#endif
