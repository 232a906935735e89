@_spi(Engine) import StreamCore

/// JSON as it is written, also with repeated keys and numbers that no client reads.
public indirect enum JSONTree: Hashable, Sendable {
  case string(String)
  case array([JSONTree])
  case object([Member])
  /// A number, a Boolean, null, or no JSON at all.
  case literal(String)

  public struct Member: Hashable, Sendable {
    public var name: String
    public var value: JSONTree

    public init(_ name: String, _ value: JSONTree) {
      self.name = name
      self.value = value
    }
  }

  /// Reads JSON without fractions; nil for other bytes.
  public init?(checking bytes: [UInt8]) {
    var reader = JSONReader()
    guard let value = try? reader.read(bytes) else { return nil }
    self.init(value)
  }

  /// Reads the JSON of honest metadata.
  public init(reading bytes: [UInt8]) {
    var reader = JSONReader()
    guard let value = try? reader.read(bytes) else { preconditionFailure("honest metadata are JSON") }
    self.init(value)
  }

  private init(_ value: Value) {
    switch value {
    case .null: self = .literal("null")
    case .bool(let flag): self = .literal(flag ? "true" : "false")
    case .int(let number): self = .literal(String(number))
    case .string(let text): self = .string(text)
    case .list(let list): self = .array(list.map(JSONTree.init))
    case .map(let map):
      self = .object(
        map.pairs.map { key, value in
          guard case .string(let name) = key else { preconditionFailure("the keys of JSON are strings") }
          return Member(name, JSONTree(value))
        })
    // Fractions are never signed.
    default: self = .literal("0.5")
    }
  }

  public subscript(name: String) -> JSONTree? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// Replaces a member, or adds it.
  public func setting(_ name: String, _ value: JSONTree) -> JSONTree {
    guard case .object(var members) = self else { return self }
    if let index = members.firstIndex(where: { $0.name == name }) {
      members[index].value = value
    } else {
      members.append(Member(name, value))
    }
    return .object(members)
  }

  // MARK: Writing

  /// The text, with the members in their order.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes, isCanonical: false)
    return bytes
  }

  /// Canonical JSON, which TUF signs. Written here a second time, since a test of signatures must not rely on the code
  /// that checks them.
  public var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes, isCanonical: true)
    return bytes
  }

  private func append(to bytes: inout [UInt8], isCanonical: Bool) {
    switch self {
    case .literal(let text): bytes += text.utf8
    case .string(let text): Self.append(text, to: &bytes, isCanonical)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.append(to: &bytes, isCanonical: isCanonical)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(var members):
      if isCanonical { members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.append(member.name, to: &bytes, isCanonical)
        bytes.append(UInt8(ascii: ":"))
        member.value.append(to: &bytes, isCanonical: isCanonical)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8], _ isCanonical: Bool) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes += [UInt8(ascii: "\\"), byte]
      } else if byte < 0x20, !isCanonical {
        let digits = String(byte, radix: 16)
        bytes += (digits.utf8.count == 1 ? "\\u000\(digits)" : "\\u00\(digits)").utf8
      } else {
        bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
