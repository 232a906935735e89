internal import StreamCore

/// The roles to which targets are delegated, in order of priority.
struct Delegations: Sendable {
  /// A delegated role.
  struct Role: Sendable {
    let name: String
    let authority: RoleKeys
    /// Whether no other role is asked for a path that is delegated to this one.
    let isTerminating: Bool
    fileprivate let paths: Paths
  }

  fileprivate enum Paths: Sendable {
    case patterns([String])
    case hashPrefixes([String])
  }

  /// Many roles that share keys, each for the paths whose hashes have the same first bits (TAP 15).
  private struct Bins: Sendable {
    let authority: RoleKeys
    let bits: Int
    let prefix: String

    /// Returns the role of a path: its number in hexadecimal digits, as many as the last role needs.
    func name(for path: String) -> String {
      let first = ContentDigest(of: Array(path.utf8)).bytes.prefix(4).reduce(0) { $0 << 8 | UInt64($1) }
      return name(of: first >> UInt64(32 - bits))
    }

    private func name(of number: UInt64) -> String {
      let width = String((1 as UInt64) << UInt64(bits) - 1, radix: 16).utf8.count
      let digits = String(number, radix: 16)
      return "\(prefix)-\(String(repeating: "0", count: width - digits.utf8.count))\(digits)"
    }

    func contains(_ name: String) -> Bool {
      guard name.hasPrefix(prefix + "-"), let number = UInt64(name.dropFirst(prefix.count + 1), radix: 16) else {
        return false
      }
      return number >> UInt64(bits) == 0 && self.name(of: number) == name
    }
  }

  private let roles: [Role]
  private let bins: Bins?

  init(_ delegations: MetadataReader) throws(TrustError) {
    let keys = try RoleKeys.table(try delegations["keys"])
    guard let bins = try delegations.optional("succinct_roles") else {
      self.bins = nil
      roles = try Self.roles(try delegations["roles"], keys)
      return
    }
    if try delegations.optional("roles") != nil {
      throw delegations.problem(nil, "'roles' and 'succinct_roles' cannot be combined")
    }
    roles = []
    self.bins = Bins(
      authority: try RoleKeys(bins, among: keys), bits: Int(try bins["bit_length"].integer(in: 1...32)),
      prefix: try bins["name_prefix"].text)
  }

  private static func roles(
    _ roles: MetadataReader, _ keys: [String: PublicKey]
  ) throws(TrustError) -> [Role] {
    var names: Set<String> = []
    var read: [Role] = []
    for role in try roles.list {
      let name = try role["name"].text
      guard !name.isEmpty, RoleName(rawValue: name) == nil else {
        throw role.problem("name", "'\(name)' cannot be the name of a delegated role")
      }
      guard names.insert(name).inserted else { throw role.problem("name", "the role '\(name)' is delegated to twice") }
      let isTerminating = try role["terminating"].flag
      read.append(
        Role(
          name: name, authority: try RoleKeys(role, among: keys), isTerminating: isTerminating,
          paths: try paths(of: role)))
    }
    return read
  }

  private static func paths(of role: MetadataReader) throws(TrustError) -> Paths {
    switch (try role.optional("paths"), try role.optional("path_hash_prefixes")) {
    case (let patterns?, nil):
      var texts: [String] = []
      for pattern in try patterns.list { texts.append(try pattern.text) }
      return .patterns(texts)
    case (nil, let prefixes?):
      var texts: [String] = []
      for prefix in try prefixes.list { texts.append(try prefix.text.lowercased()) }
      return .hashPrefixes(texts)
    case (_?, _?): throw role.problem(nil, "'paths' and 'path_hash_prefixes' cannot be combined")
    case (nil, nil): throw role.problem(nil, "there is neither 'paths' nor 'path_hash_prefixes'")
    }
  }

  /// Returns the roles that a path is delegated to, in order of priority, up to the first terminating one.
  func roles(for path: String) -> [(name: String, isTerminating: Bool)] {
    // The role of a bin ends the search within these delegations, as if it were the only one.
    if let bins { return [(bins.name(for: path), true)] }
    let hash = ContentDigest(of: Array(path.utf8)).text
    var found: [(name: String, isTerminating: Bool)] = []
    for role in roles where role.paths.match(path, hash: hash) {
      found.append((role.name, role.isTerminating))
      if role.isTerminating { break }
    }
    return found
  }

  /// The names of the roles, in order of priority; none of bins, which are numerous.
  var roleNames: [String] { roles.map(\.name) }

  /// Returns the keys of a delegated role; nil if nothing is delegated to it.
  func authority(of name: String) -> RoleKeys? {
    if let bins { return bins.contains(name) ? bins.authority : nil }
    return roles.first { $0.name == name }?.authority
  }
}

extension Delegations.Paths {
  func match(_ path: String, hash: String) -> Bool {
    switch self {
    case .patterns(let patterns): patterns.contains { PathPattern($0).matches(path) }
    case .hashPrefixes(let prefixes): prefixes.contains { hash.hasPrefix($0) }
    }
  }
}
