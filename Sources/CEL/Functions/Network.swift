import StreamCore

extension FunctionCatalogue {
  /// The cost of reading an address.
  private static let addressCost = FunctionCost.steps(perByte: 4).plus(perCall: 30)
  /// The cost of reading a range.
  private static let rangeCost = FunctionCost.steps(perByte: 8).plus(perCall: 100)
  private static let ip = NetworkAddress.type
  private static let cidr = NetworkRange.type

  /// cel-spec's network extension: IP addresses and ranges of them.
  static let network: [Function] = [
    test("isIP", "Whether the string is an IP address", cost: addressCost) { NetworkAddress(text: $0) != nil },
    test("isCIDR", "Whether the string is a range of IP addresses such as '10.0.0.0/8'", cost: rangeCost) {
      NetworkRange(text: $0) != nil
    },
    Function(
      "ip.isCanonical", "Whether the string is the canonical form of its IP address",
      cost: addressCost.plus(perCall: 200), [.function([.string], .bool)],
      .one { (value, _) throws(EvaluationError) in
        guard case .string(let text) = value else { throw .noOverload("ip.isCanonical", value) }
        return .bool(try networkAddress(value, "ip.isCanonical").description == text)
      }),
    Function(
      "ip", "The IP address in a string, or the base address of a range", cost: addressCost,
      [.function([.string], ip), .method([cidr], ip)],
      .one { (value, _) throws(EvaluationError) in
        if let range = value.networkRange { return .opaque(range.address) }
        guard case .string = value else { throw .noOverload("ip", value) }
        return .opaque(try networkAddress(value, "ip"))
      }),
    Function(
      "cidr", "The range of IP addresses in a string such as '10.0.0.0/8'", cost: rangeCost,
      [.function([.string], cidr)],
      .one { (value, _) throws(EvaluationError) in
        guard case .string = value else { throw .noOverload("cidr", value) }
        return .opaque(try networkRange(value, "cidr"))
      }),
    Function(
      "family", "4 or 6", [.method([ip], .int)],
      .one { (value, _) throws(EvaluationError) in
        guard let address = value.networkAddress else { throw .noOverload("family", value) }
        return .int(address.isVersion4 ? 4 : 6)
      }),
    property("isUnspecified", "Whether all bits of the address are zero") { $0.isUnspecified },
    property("isLoopback", "Whether the address is a loopback address") { $0.isLoopback },
    property("isGlobalUnicast", "Whether the address is a global unicast address") { $0.isGlobalUnicast },
    property("isLinkLocalUnicast", "Whether the address is a link-local unicast address") { $0.isLinkLocalUnicast },
    property("isLinkLocalMulticast", "Whether the address is a link-local multicast address") {
      $0.isLinkLocalMulticast
    },
    Function(
      "containsIP", "Whether the range contains the address", cost: addressCost,
      [.method([cidr, ip], .bool), .method([cidr, .string], .bool)],
      .two { (range, address, _) throws(EvaluationError) in
        guard let range = range.networkRange else { throw .noOverload("containsIP", range, address) }
        return .bool(range.contains(try networkAddress(address, "containsIP")))
      }),
    Function(
      "containsCIDR", "Whether the range contains the other range", cost: rangeCost,
      [.method([cidr, cidr], .bool), .method([cidr, .string], .bool)],
      .two { (outer, inner, _) throws(EvaluationError) in
        guard let outer = outer.networkRange else { throw .noOverload("containsCIDR", outer, inner) }
        let inner = try networkRange(inner, "containsCIDR")
        return .bool(outer.length <= inner.length && outer.contains(inner.address))
      }),
    Function(
      "masked", "The range with the bits after its prefix set to zero", cost: .constant.plus(perCall: 40),
      [.method([cidr], cidr)],
      .one { (value, _) throws(EvaluationError) in
        guard let range = value.networkRange else { throw .noOverload("masked", value) }
        return .opaque(range.masked)
      }),
    Function(
      "prefixLength", "The length of the range's prefix, in bits", [.method([cidr], .int)],
      .one { (value, _) throws(EvaluationError) in
        guard let range = value.networkRange else { throw .noOverload("prefixLength", value) }
        return .int(Int64(range.length))
      }),
  ]

  private static func test(
    _ name: String, _ summary: String, cost: FunctionCost, _ body: @escaping @Sendable (String) -> Bool
  ) -> Function {
    Function(
      name, summary, cost: cost, [.function([.string], .bool)],
      .one { (value, _) throws(EvaluationError) in
        guard case .string(let text) = value else { throw .noOverload(name, value) }
        return .bool(body(text))
      })
  }

  private static func property(
    _ name: String, _ summary: String, _ body: @escaping @Sendable (NetworkAddress) -> Bool
  ) -> Function {
    Function(
      name, summary, [.method([ip], .bool)],
      .one { (value, _) throws(EvaluationError) in
        guard let address = value.networkAddress else { throw .noOverload(name, value) }
        return .bool(body(address))
      })
  }

  private static func networkAddress(_ value: Value, _ function: String) throws(EvaluationError) -> NetworkAddress {
    if let address = value.networkAddress { return address }
    guard case .string(let text) = value else { throw .noOverload(function, value) }
    guard let address = NetworkAddress(text: text) else {
      throw EvaluationError(.invalidConversion, "\(value.shortText) is not an IP address")
    }
    return address
  }

  private static func networkRange(_ value: Value, _ function: String) throws(EvaluationError) -> NetworkRange {
    if let range = value.networkRange { return range }
    guard case .string(let text) = value else { throw .noOverload(function, value) }
    guard let range = NetworkRange(text: text) else {
      throw EvaluationError(.invalidConversion, "\(value.shortText) is not a range of IP addresses")
    }
    return range
  }
}

extension Value {
  var networkAddress: NetworkAddress? {
    if case .opaque(let value) = self { return value as? NetworkAddress }
    return nil
  }

  var networkRange: NetworkRange? {
    if case .opaque(let value) = self { return value as? NetworkRange }
    return nil
  }
}
