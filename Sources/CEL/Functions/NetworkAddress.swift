import StreamCore

/// An IP address, a value of the type `net.IP`.
final class NetworkAddress: OpaqueValue {
  /// The address in network byte order: 4 bytes for IPv4, 16 bytes for IPv6.
  let bytes: [UInt8]

  static let type = CELType.opaque("net.IP")

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Parses an address; zones and IPv4-mapped IPv6 addresses are rejected.
  convenience init?(text: String) {
    guard text.utf8.count <= 64 else { return nil }
    let digits = Array(text.utf8)
    if let bytes = Self.version4(digits[...]) {
      self.init(bytes: bytes)
      return
    }
    guard let bytes = Self.version6(digits) else { return nil }
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF { return nil }
    self.init(bytes: bytes)
  }

  var isVersion4: Bool { bytes.count == 4 }
  var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }
  var isLoopback: Bool { isVersion4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1 }
  var isMulticast: Bool { isVersion4 ? bytes[0] & 0xF0 == 0xE0 : bytes[0] == 0xFF }
  var isLinkLocalUnicast: Bool {
    isVersion4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
  }
  var isLinkLocalMulticast: Bool {
    isVersion4 ? bytes.starts(with: [224, 0, 0]) : bytes[0] == 0xFF && bytes[1] & 0x0F == 2
  }
  var isGlobalUnicast: Bool {
    let isBroadcast = isVersion4 && bytes.allSatisfy { $0 == 255 }
    return !isUnspecified && !isLoopback && !isMulticast && !isLinkLocalUnicast && !isBroadcast
  }

  var typeName: String { "net.IP" }
  func isEqual(to other: any OpaqueValue) -> Bool { (other as? NetworkAddress)?.bytes == bytes }
  func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  /// The canonical form (RFC 5952): lowercase hexadecimal digits, the longest run of zeros omitted.
  var description: String {
    if isVersion4 { return bytes.map { String($0) }.joined(separator: ".") }
    let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    var longest = 0..<0
    var start = 0
    while start < groups.count {
      var end = start
      while end < groups.count, groups[end] == 0 { end += 1 }
      if end - start > max(longest.count, 1) { longest = start..<end }
      start = end + 1
    }
    let text = groups.map { String($0, radix: 16) }
    if longest.isEmpty { return text.joined(separator: ":") }
    return text[..<longest.lowerBound].joined(separator: ":") + "::"
      + text[longest.upperBound...].joined(separator: ":")
  }
}

extension NetworkAddress {
  /// Parses four numbers up to 255 without leading zeros.
  private static func version4(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bytes: [UInt8] = []
    for part in parts {
      guard (1...3).contains(part.count), part.allSatisfy(\.isDigit),
        part.count == 1 || part.first != UInt8(ascii: "0"),
        let byte = UInt8(String(decoding: part, as: UTF8.self))
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// Parses eight groups of up to four hexadecimal digits, `::` for one run of zeros; the last two may be in IPv4 form.
  private static func version6(_ digits: [UInt8]) -> [UInt8]? {
    let colon = UInt8(ascii: ":")
    guard let gap = digits.indices.dropLast().first(where: { digits[$0] == colon && digits[$0 + 1] == colon }) else {
      let bytes = groups(digits[...], mayEndInVersion4: true)
      return bytes?.count == 16 ? bytes : nil
    }
    guard let before = groups(digits[..<gap], mayEndInVersion4: false),
      let after = groups(digits[(gap + 2)...], mayEndInVersion4: true)
    else { return nil }
    let missing = 16 - before.count - after.count
    return missing >= 2 ? before + Array(repeating: 0, count: missing) + after : nil
  }

  private static func groups(_ digits: ArraySlice<UInt8>, mayEndInVersion4: Bool) -> [UInt8]? {
    if digits.isEmpty { return [] }
    let parts = digits.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      if mayEndInVersion4, index == parts.count - 1, let last = version4(part) {
        bytes += last
      } else {
        guard (1...4).contains(part.count), part.allSatisfy(\.isHexDigit),
          let group = UInt16(String(decoding: part, as: UTF8.self), radix: 16)
        else { return nil }
        bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
      }
    }
    return bytes
  }
}

/// A range of IP addresses with a common prefix, a value of the type `net.CIDR`.
final class NetworkRange: OpaqueValue {
  let address: NetworkAddress
  /// Length of the common prefix in bits, at most 32 or 128.
  let length: Int

  static let type = CELType.opaque("net.CIDR")

  init(_ address: NetworkAddress, length: Int) {
    self.address = address
    self.length = length
  }

  /// Parses a range such as `10.0.0.0/8`.
  convenience init?(text: String) {
    guard text.utf8.count <= 64 else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = NetworkAddress(text: String(parts[0])), (1...3).contains(parts[1].utf8.count),
      parts[1].utf8.allSatisfy(\.isDigit), parts[1] == "0" || !parts[1].hasPrefix("0"), let length = Int(parts[1]),
      length <= address.bytes.count * 8
    else { return nil }
    self.init(address, length: length)
  }

  func contains(_ other: NetworkAddress) -> Bool {
    other.bytes.count == address.bytes.count && masked(other) == masked(address)
  }

  /// The range with zeros after the prefix.
  var masked: NetworkRange { NetworkRange(NetworkAddress(bytes: masked(address)), length: length) }

  private func masked(_ address: NetworkAddress) -> [UInt8] {
    address.bytes.enumerated().map { place, byte in
      let bits = min(max(length - place * 8, 0), 8)
      return byte & ~UInt8(truncatingIfNeeded: 0xFF >> bits)
    }
  }

  var typeName: String { "net.CIDR" }
  var description: String { "\(address)/\(length)" }
  func isEqual(to other: any OpaqueValue) -> Bool {
    guard let other = other as? NetworkRange else { return false }
    return length == other.length && address.isEqual(to: other.address)
  }
  func hash(into hasher: inout Hasher) {
    hasher.combine(length)
    address.hash(into: &hasher)
  }
}
