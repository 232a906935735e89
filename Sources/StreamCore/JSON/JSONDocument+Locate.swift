extension JSONDocument {
  /// Returns the diagnostic with its location in the text: the key, the value or the part of a string it refers to.
  ///
  /// A pointer to a missing member falls back to the nearest existing ancestor: its key, or its opening bracket if it
  /// has no key. A diagnostic that already has a location keeps it.
  public func locate(_ diagnostic: Diagnostic) -> Diagnostic {
    guard diagnostic.location == nil else { return diagnostic }
    var result = diagnostic
    if let origin {
      result.location = origin.source.location(of: origin.range(diagnostic.pointer, diagnostic.part))
      return result
    }
    result.location = source.location(of: range(of: diagnostic.pointer, diagnostic.part))
    return result
  }

  /// Returns the diagnostics with their locations in the text.
  public func locate(_ diagnostics: Diagnostics) -> Diagnostics {
    Diagnostics(diagnostics.all.map(locate))
  }

  /// Returns the result of `body` for the document's value; diagnostics that it throws get their locations.
  package func locating<Result>(_ body: (Value) throws(Diagnostics) -> Result) throws(Diagnostics) -> Result {
    do throws(Diagnostics) {
      return try body(value)
    } catch {
      throw locate(error)
    }
  }

  /// Returns the byte range of a member or of a part of it.
  public func range(of pointer: JSONPointer, _ part: Diagnostic.Part = .value) -> Range<Int> {
    let positions = positions
    var node = 0
    var value = value
    for token in pointer.tokens {
      guard let (place, next) = value.element(token), let child = positions.child(of: node, at: place) else {
        return positions.fallBack(node)
      }
      node = child
      value = next
    }
    guard positions.nodes.indices.contains(node) else { return 0..<0 }
    let whole = positions.nodes[node].value
    switch part {
    case .key: return positions.nodes[node].key ?? whole
    case .value: return whole
    case .text(let range):
      guard case .string = value else { return whole }
      return rawRange(of: range, inStringAt: whole)
    }
  }

  /// Returns the bytes of the text that encode a range of the decoded string. An escape is never split.
  private func rawRange(of decoded: Range<Int>, inStringAt quoted: Range<Int>) -> Range<Int> {
    let bytes = source.bytes
    let end = quoted.upperBound - 1
    var raw = quoted.lowerBound + 1
    var position = 0
    var start: Int?
    while raw < end {
      let (rawCount, count) = unit(at: raw, in: bytes)
      if start == nil, decoded.lowerBound < position + count { start = raw }
      if let start, decoded.upperBound <= position { return start..<raw }
      raw += rawCount
      position += count
    }
    return (start ?? end)..<(decoded.isEmpty ? (start ?? end) : end)
  }

  /// Returns the length of the escape or byte at an offset, and the number of bytes it encodes. The string is known to
  /// be well-formed.
  private func unit(at offset: Int, in bytes: [UInt8]) -> (raw: Int, decoded: Int) {
    guard bytes[offset] == UInt8(ascii: "\\") else { return (1, 1) }
    guard bytes[offset + 1] == UInt8(ascii: "u") else { return (2, 1) }
    let digits = String(decoding: bytes[offset + 2..<offset + 6], as: UTF8.self)
    switch UInt32(digits, radix: 16) ?? 0 {
    case 0..<0x80: return (6, 1)
    case 0..<0x800: return (6, 2)
    case 0xD800..<0xDC00: return (12, 4)
    default: return (6, 3)
    }
  }
}

extension Value {
  /// Returns the member of a list or map that a JSON pointer token names, and its index; nil if there is none.
  package func element(_ token: String) -> (place: Int, value: Value)? {
    switch self {
    case .list(let items):
      guard let index = JSONPointer.index(token), items.indices.contains(index) else { return nil }
      return (index, items[index])
    case .map(let map):
      guard let place = map.shape.index(of: token) else { return nil }
      return (place, map.slots[place])
    default: return nil
    }
  }
}

extension JSONPositions {
  /// Returns the range of a node's key, or of its opening bracket if it has no key.
  fileprivate func fallBack(_ node: Int) -> Range<Int> {
    guard nodes.indices.contains(node) else { return 0..<0 }
    let start = nodes[node].value.lowerBound
    return nodes[node].key ?? start..<start + 1
  }
}
