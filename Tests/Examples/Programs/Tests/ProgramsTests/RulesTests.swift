import Programs
import StreamCore
import StreamEngine
import StreamKit
import StreamTesting
import Testing

@Suite("Programs: rules that change", .timeLimit(.minutes(1)))
struct RulesTests {
  private static let builtIn = StreamModel(stream: [1, 2, 3].map { StreamItem($0) })

  private func values(of model: StreamModel) async throws -> [Int] {
    var values: [Int] = []
    for try await value in model.values(of: Int.self) { values.append(value) }
    return values
  }

  @Test("4. Downloaded rules that are broken are replaced by the built-in ones, and the error has its place")
  func downloadedRules() async throws {
    let good = DownloadedRules(downloaded: #"{"source": {"range": {"from": 8, "through": 9}}}"#, builtIn: Self.builtIn)
    let goodValues = try await values(of: good.model)
    #expect(good.problem == nil)
    #expect(goodValues == [8, 9])

    let text = """
      {
        "stream": [ { "value": 1 } ],
        "operators": [
          { "filter": { "expression": "valu > 0" } }
        ]
      }
      """
    let broken = DownloadedRules(downloaded: text, builtIn: Self.builtIn)
    let brokenValues = try await values(of: broken.model)
    #expect(brokenValues == [1, 2, 3])
    #expect(
      broken.problem == """
        error S202 at /operators/0/filter/expression (rules.json:4:34): there is no name 'valu' here
          help: did you mean 'value'?
        """)

    let page = DownloadedRules(downloaded: "<html>", builtIn: Self.builtIn)
    #expect(page.problem == "error S001 (rules.json:1:1): expected a value, found '<'")
  }

  @Test("5. Rules are swapped in a running app, and the total is kept")
  func hotSwap() async throws {
    let total = try RunningTotal(rules: RunningTotal.rules(factor: 1))
    var totals = total.totals.makeAsyncIterator()
    total.amounts.send(20)
    let first = try await totals.next()
    let report = try await total.follow(RunningTotal.rules(factor: 10))
    total.amounts.send(3)
    let second = try await totals.next()
    #expect(first == 20)
    #expect(report == "kept #total")
    #expect(second == 50)

    await #expect(throws: Diagnostics.self) {
      try await total.follow(StreamModel(source: .input("nothing"), operators: [.map("value +")]))
    }
    total.amounts.send(1)
    let third = try await totals.next()
    #expect(third == 60)
  }

  @Test("6. An operator and a function of the app")
  func ownOperator() async throws {
    let downloaded = """
      {"stream": [{"value": 1.4}, {"value": 4.8}, {"value": 2.1}],
       "operators": [{"app.change": {"start": 1}}, {"map": {"expression": "app.rounded(value)"}}]}
      """
    var values: [Int] = []

    let model = try StreamModel(checking: downloaded, options: .app)
    for try await value in model.values(of: Int.self, services: .app, options: .app) { values.append(value) }

    #expect(values == [0, 3, -3])

    let broken = try Laws.broken(by: Change.self)
    #expect(broken == [])
  }

  @Test("6. A download with an operator and a function of the app is checked, and runs")
  func ownFunction() async throws {
    var services = HostServices()
    services.function("app.half") { (number: Int) in Double(number) / 2 }
    let downloaded = """
      {"stream": [{"value": 2}, {"value": 8}],
       "operators": [
         {"flatMap": {"stream": {"source": {"call": {"function": "app.half", "argument": "outer"}}},
                      "strategy": "concat"}},
         {"app.change": {}}]}
      """

    let options = CompileOptions(services: services, operators: [Change.self])
    let rules = try StreamModel(checking: downloaded, options: options)
    let stream = try LiveStream(rules, services: services, options: options)

    var values: [Double] = []
    for try await value in stream.values(of: Double.self) { values.append(value) }
    #expect(values == [1, 3])
    let same = try StreamModel(checking: downloaded, services: services, options: .app)
    #expect(same == rules)
  }

  @Test("7. An editor lists operators, undoes a change, and refuses a wrong one with its message")
  func modelEditor() throws {
    let choices = ModelEditor.choices(for: "deb")
    #expect(choices.contains { $0.name == "debounce" && $0.summary.hasSuffix(".") })

    let text = """
      {
        "stream": [ { "value": 1 } ],
        "operators": [
          { "map": { "expression": "value * 2" } }
        ]
      }
      """
    var editor = try ModelEditor(text: text)
    #expect(editor.append(.debounce(seconds: 0.5)) == nil)
    let longer = """
      {
        "stream": [ { "value": 1 } ],
        "operators": [
          { "map": { "expression": "value * 2" } },
          { "debounce": { "seconds": 0.5 } }
        ]
      }
      """
    #expect(editor.text == longer)
    let refusal = editor.set(["operators", "1", "debounce", "seconds"], to: -1)
    #expect(
      refusal == """
        error S104 at /operators/1/debounce/seconds (rules.json:5:32): 'seconds' is -1; expected a number of seconds \
        from 0 to 31536000
        """)
    #expect(editor.text == longer)
    editor.undo()
    #expect(editor.text == text)
    #expect(!editor.canUndo)
    editor.redo()
    #expect(editor.text == longer)
  }

  @Test("10. The app's rules pass their tests", arguments: ["a short peak is no alarm", "a long one is"])
  func alarmRules(name: String) throws {
    let file = try StreamFile(JSONDocument(reading: AlarmRules.text, file: "alarm.json"), identity: "alarm.json")
    let outcomes = try TestRunner(file).run { $0 == name }
    #expect(outcomes.map(\.name) == [name])
    #expect(outcomes.flatMap(\.differences) == [])
  }

  @Test("10. A day of the app's rules passes in virtual time")
  func alarmInVirtualTime() throws {
    let model = try StreamModel(checking: AlarmRules.text)
    let run = VirtualRun(Execution(try model.compile()))
    let readings = History([
      .value(20, at: 0), .value(31, at: 3_600), .value(35, at: 7_200), .value(25, at: 80_000), .finished(at: 86_400),
    ])
    run.feed([(0, readings)])
    let history = run.run()
    #expect(
      history
        == History([
          .value(false, at: 5), .value(true, at: 3_605), .value(false, at: 80_005), .finished(at: 86_400),
        ]))
  }

  private final class Lamp {
    var isOn = false
  }

  @Test("10. The app follows the alarm")
  func alarm() async throws {
    let alarm = try Alarm(rules: AlarmRules.text)
    let clock = ManualClock()
    var changes = alarm.changes(clock: clock).makeAsyncIterator()
    alarm.celsius.send(40)
    await clock.sleepers(1)
    clock.advance(by: .seconds(5))
    let isTooWarm = try await changes.next()
    #expect(isTooWarm == true)

    let lamp = Lamp()
    alarm.celsius.finish()
    for try await isTooWarm in alarm.changes() { lamp.isOn = isTooWarm }
    #expect(!lamp.isOn)
    #expect(throws: Diagnostics.self) { try Alarm(rules: "{}") }
  }

  @Test("13. The differences of two versions, for a person")
  func versionNotes() {
    let old = StreamModel(
      inputs: ["query": InputDeclaration(type: .string)], source: .input("query"),
      operators: [.debounce(seconds: 0.3), .removeDuplicates()])
    var new = old
    new.operators = [.filter("size(value) > 2"), .debounce(seconds: 0.5)]
    let notes = Programs.versionNotes(from: old, to: new)
    #expect(
      notes == [
        "removed operator 2 (removeDuplicates)", "added operator 1 (filter)",
        "operator 2 (debounce): seconds was 0.3, is 0.5",
      ])
  }
}
