import Foundation
import StreamKit
import StreamSharing

// Adds up the numbers on standard input as the stream 'sum' of a repository says, and follows its versions.
//
//   FollowStream LOCATION ROOT CACHE [HUB]
//
// Prints a line for each value, and for each new state of the stream. The line 'check' refreshes the repository.

/// Prints a line at once, as another program reads it.
@Sendable func show(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// The version that the app is built with: it counts the numbers.
let builtIn = try StreamModel(
  parsing: """
    { "inputs": { "n": {} }, "source": { "input": { "name": "n" } },
      "operators": [ { "scan": { "initialValue": 0, "expression": "acc + 1" } } ] }
    """, file: "built-in.json")

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3 else {
  show("FollowStream LOCATION ROOT CACHE [HUB]")
  exit(2)
}
let root = Array(try Data(contentsOf: URL(fileURLWithPath: arguments[1])))
let repository = try SharedRepository(
  arguments[0], trust: root, cache: arguments[2],
  schedule: RefreshSchedule(seconds: 3_600, firstRetry: 3_600, noticeSpread: 0))
if arguments.count > 3 { repository.listen(to: try HubNotices(arguments[3])) }

let numbers = PassthroughInput<Int>()
let sum = try SharedStream("sum", from: repository, fallback: builtIn, probation: Probation(values: 2))

let states = Task {
  for await state in sum.states {
    let version = state.version.map { " \($0)" } ?? ""
    let problem = state.problem.map { ", \($0.kind.rawValue)" } ?? ""
    let refusal = state.refusal.map { ", version \($0.version) refused" } ?? ""
    show("\(state.phase)\(version)\(problem)\(refusal)")
  }
}
let (begun, begin) = AsyncStream.makeStream(of: Void.self)
let values = Task {
  // From here on the stream receives numbers.
  var values = sum.values(of: Int.self, inputs: ["n": numbers]).makeAsyncIterator()
  begin.finish()
  while let value = try await values.next() { show("\(value)") }
}
for await _ in begun {}
show("ready")

while let line = readLine() {
  if let number = Int(line) {
    numbers.send(number)
  } else {
    await sum.check()
  }
  // A pause between two lines, as between two touches of a person.
  try await Task.sleep(for: .milliseconds(200))
}
sum.cancel()
_ = await (states.result, values.result)
