package import StreamCore

/// Descriptions of locations in stream files.
package enum StreamPlace {
  /// Returns a description of the member at a pointer, counted from 1: `stream 'tilt', operator 2 (filter)`.
  package static func words(_ pointer: JSONPointer, in file: Value) -> String {
    var words: [String] = []
    var role = StreamRole.model
    var value: Value? = file
    var tokens = pointer.tokens[...]
    while let token = tokens.popFirst() {
      let place = role.member(token)
      let next = value?.member(token)
      switch place {
      case .items, .operators, .tests, .references:
        guard let element = tokens.popFirst() else {
          words.append(token)
          break
        }
        value = next?[JSONPointer([element])]
        words.append(Self.element(element, of: place, named: token, value))
        role = place.element
        continue
      case .names:
        if let name = tokens.popFirst() {
          words.append("\(token.dropLast()) '\(name)'")
          value = next?.member(name)
          role = place.member(name)
          continue
        }
        words.append(token)
      case .fields: break  // the operator's name is already included
      case .reference: words.append("its \(token)")
      default: words.append(token)
      }
      value = next
      role = place
    }
    return words.isEmpty ? "the stream" : words.joined(separator: ", ")
  }

  private static func element(_ token: String, of list: StreamRole, named key: String, _ value: Value?) -> String {
    let number = JSONPointer.index(token).map { String($0 + 1) } ?? token
    switch list {
    case .items: return "item \(number)"
    case .tests: return "test \(number)" + (value?.member("name")?.text.map { " '\($0)'" } ?? "")
    case .references: return "stream \(number) of '\(key)'" + (value?.text.map { " ('\($0)')" } ?? "")
    default:
      let name = value.flatMap { StreamRole.placedOperator.kind(of: $0) }
      let id = value?.member("id")?.text ?? value?.member("label")?.text
      let what = [name, id.map { "'\($0)'" }].compactMap(\.self).joined(separator: " ")
      return "operator \(number)" + (what.isEmpty ? "" : " (\(what))")
    }
  }
}
