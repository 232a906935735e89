package import StreamCore

extension RandomModel {
  /// Returns the value in an unusual spelling: white space anywhere, unnecessary escapes.
  ///
  /// - Parameter shuffles: Whether to reorder keys.
  package mutating func text(of value: Value, shuffles: Bool = false) -> String {
    switch value {
    case .list(let items):
      let elements = items.map { space() + text(of: $0, shuffles: shuffles) + space() }
      return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
    case .map(let map):
      var pairs = map.pairs.map { ($0, $1) }
      if shuffles { pairs.shuffle(using: &generator) }
      let members = pairs.map { key, value in
        space() + spelling(of: key) + space() + ":" + space() + text(of: value, shuffles: shuffles) + space()
      }
      return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
    default: return spelling(of: value)
    }
  }

  /// White space, mostly none or little.
  private mutating func space() -> String {
    generator.pick(["", "", "", " ", " ", "\n", "\n  ", "\t", "\r\n", "    "])
  }

  /// Returns a scalar; strings perhaps with escapes.
  private mutating func spelling(of value: Value) -> String {
    guard case .string(let text) = value, generator.happens(oneIn: 4) else { return JSONWriter.compact(value) }
    let units = text.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return "\"" + units.joined() + "\""
  }
}
