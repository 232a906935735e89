internal import StreamCore

/// Names as `item_count`, which become names as `itemCount`.
enum SnakeCase {
  /// Two members of an object would have this name.
  struct Clash: Error {
    let name: String
  }

  /// The value with the members of all its objects named anew.
  static func renamingMembers(of value: Value) throws(Clash) -> Value {
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

  /// The name in one word; underscores at both ends stay, and so does a name without any within.
  private static func camelCase(_ name: String) -> String {
    guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
      return name
    }
    let words = name[first...last].split(separator: "_")
    guard words.count > 1 else { return name }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
    return name[..<first] + words[0].lowercased() + rest.joined() + name[name.index(after: last)...]
  }
}
