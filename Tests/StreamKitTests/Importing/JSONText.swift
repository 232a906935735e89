import Foundation
import StreamCore

/// Reads JSON text for these tests; gives way to the project's own reader. Keys come out in alphabetical order.
func json(_ text: String) throws -> Value {
  try JSONDecoder().decode(JSONText.self, from: Data(text.utf8)).value
}

private struct JSONText: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      value = .null
    } else if let flag = try? container.decode(Bool.self) {
      value = .bool(flag)
    } else if let number = try? container.decode(Int64.self) {
      value = .int(number)
    } else if let number = try? container.decode(Double.self) {
      value = .double(number)
    } else if let text = try? container.decode(String.self) {
      value = .string(text)
    } else if let elements = try? container.decode([JSONText].self) {
      value = .list(elements.map(\.value))
    } else {
      let members = try container.decode([String: JSONText].self).sorted { $0.key < $1.key }
      value = .map(ValueMap(members.map { (Value.string($0.key), $0.value.value) }))
    }
  }
}
