import StreamKit

let model = StreamModel(
  stream: [StreamItem(1), StreamItem(2), StreamItem(3)],
  operators: [.filter("value != 3"), .map("value * 2")])
for try await value in model.values(of: Int.self) { print(value) }
