/// Converts names such as `item_count` to names such as `itemCount`, and back.
package enum SnakeCase {
  /// Two members of one object are converted to the same name.
  package struct Clash: Error {
    package let name: String
  }

  /// The value with the members of all its objects renamed.
  package static func renamingMembers(of value: Value) throws(Clash) -> Value {
    switch value {
    case .list(let elements):
      var renamed: [Value] = []
      renamed.reserveCapacity(elements.count)
      for element in elements { renamed.append(try renamingMembers(of: element)) }
      return .list(renamed)
    case .map(let map):
      var pairs: [(Value, Value)] = []
      pairs.reserveCapacity(map.count)
      var seen: Set<String> = []
      for (key, member) in map.pairs {
        guard case .string(let name) = key else { continue }  // JSON has no other keys
        let renamed = camelCase(name)
        guard seen.insert(renamed).inserted else { throw Clash(name: renamed) }
        pairs.append((.string(renamed), try renamingMembers(of: member)))
      }
      return .map(ValueMap(pairs))
    default: return value
    }
  }

  /// The name in camel case. Leading and trailing underscores are kept; a name without inner underscores is unchanged.
  static func camelCase(_ name: String) -> String {
    guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
      return name
    }
    let words = name[first...last].split(separator: "_")
    guard words.count > 1 else { return name }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
    return name[..<first] + words[0].lowercased() + rest.joined() + name[name.index(after: last)...]
  }

  /// The name in snake case: a word begins at an uppercase letter that follows another letter, or that ends a run of
  /// uppercase letters, as in `my_url_property` for `myURLProperty`.
  static func snakeCase(_ name: String) -> String {
    var result = ""
    var former: Character?
    for (place, letter) in name.indices.map({ ($0, name[$0]) }) {
      if letter.isUppercase, let former, former != "_" {
        let next = name.index(after: place)
        let endsRun = next < name.endIndex && name[next].isLowercase
        if !former.isUppercase || endsRun { result.append("_") }
      }
      result += letter.lowercased()
      former = letter
    }
    return result
  }
}
