import StreamKit

/// Ends the program with an error if a condition is false.
func check(_ condition: Bool, _ message: String) {
  if !condition { fatalError(message) }
}

/// Waits until a condition of the main actor is true.
func wait(_ message: String, until isTrue: () -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(30)
  while !isTrue() {
    check(ContinuousClock.now < end, "\(message) in 30 seconds")
    try await Task.sleep(for: .milliseconds(1))
  }
}

let form = try SearchForm(catalog: Catalog(names: ["fiji", "finland", "france"]))
var followed: [Hit] = []
let following = Task { try await form.follow { followed.append($0) } }
await Task.yield()
form.text = "fij"
try await wait("the form shows its results") { form.hits.map(\.name) == ["fiji"] && followed.map(\.name) == ["fiji"] }
try await wait("the form shows their number") { form.count == 1 && form.status == "1 results" && !form.isBusy }
form.limit = 0
try await wait("the form has no results") { form.hits.isEmpty && form.isBusy }
form.finish()
try await following.value
check(form.failure == nil, "the form does not fail")

let counter = try Counter(rules: Counter.rules(factor: 1))
let counting = Task { try await counter.follow() }
await Task.yield()
counter.taps.send(Hit(name: "a", score: 2))
try await wait("the counter counts") { counter.totals == [2] }
let report = try await counter.change(to: Counter.rules(factor: 10))
check(report.contains("kept #total"), "the total is kept: \(report)")
counter.taps.send(Hit(name: "b", score: 3))
counter.taps.finish()
try await counting.value
check(counter.totals == [2, 32], "the totals are \(counter.totals)")
try await wait("the hook runs in order") { counter.log == ["a", "b"] }

let model = try StreamModel(
  checking: #"{"stream": [{"value": 1}, {"value": 4}], "operators": [{"app.change": {}}]}"#, options: .app)
var changes: [Double] = []
for try await change in model.values(of: Double.self, options: .app) { changes.append(change) }
check(changes == [1, 3], "the changes are \(changes)")

print("main actor: the form searches, the counter changes its rules, and an operator of the app runs")
