import Foundation
import StreamEditing
import StreamKit

// Builds a model in Swift, changes it, encodes and decodes it, compares two versions, and runs it.
//
//   swift run --package-path Tests/Examples SerialStream

var model = StreamModel(
  name: "Serial Stream A",
  stream: [
    StreamItem(1, operators: [.delay(seconds: 0.01)]),
    StreamItem(2, operators: [.delay(seconds: 0.01)]),
    StreamItem(3),
    StreamItem(4),
  ],
  operators: [.filter("value != 3"), .map("value * 2"), .scan(0, "acc + value")])
let original = model
model.operators.append(.debounce(seconds: 0.3))
model.inputs["name"] = InputDeclaration(type: .string, initialValue: "")
model.operators[1].operator = .map(.init(expression: "value * 3"))

// Foundation's Expression has the same name as none of StreamKit's types.
let tripled = model.operators[1].operator
let isTripled = #Expression<Int, Bool> { $0 == 3 }
print(tripled == .map("value * 3"), try isTripled.evaluate(3))

let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys]
let data = try encoder.encode(model)
print(String(decoding: data, as: UTF8.self))
let same = try JSONDecoder().decode(StreamModel.self, from: data)
print(same == model)
let operators = try JSONDecoder().decode([Operator].self, from: Data(#"[{"delay":{"seconds":1}}]"#.utf8))
print(operators == [.delay(seconds: 1)])

for placed in model.operators {
  switch placed.operator {
  case .debounce(let debounce): print("waits", debounce.seconds ?? 0)
  case .scan(let scan): print("starts with", scan.initialValue ?? .null)
  default: print(placed.operator.name)
  }
}

for change in StreamDiff(from: original, to: model).changes { print(change.kind, change.subject, change.name) }
for try await value in model.values(of: Int.self) { print(value) }
for try await value in original.values(of: Int.self) { print(value) }

// The checks of a file: each wrong field is reported at its place.
model.operators[3].operator = .debounce(seconds: -1)
model.operators[0].operator = .filter("valu != 3")
do {
  _ = try model.compile()
} catch {
  print(error)
}
