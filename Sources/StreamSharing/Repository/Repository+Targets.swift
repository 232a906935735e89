internal import StreamCore

// The targets of all roles, as a publisher sees them.
extension Repository {
  /// The names of all roles, the top-level ones first.
  package var roleNames: [String] {
    let top = RoleName.allCases.map(\.rawValue)
    return top + signed.keys.filter { !top.contains($0) }.sorted()
  }

  /// Whether another publisher has replaced the root since the repository was opened.
  package var hasNewerRoot: Bool {
    guard case .int(let version)? = signed["root"]?["version"] else { return false }
    return (try? storage.read("metadata/\(version + 1).root.json", of: "root")) != nil
  }

  /// The targets with the roles that list them; if several roles list a path, the first in the order of a client's
  /// search.
  var targets: [(role: String, target: Target)] {
    get throws(TrustError) {
      var found: [(role: String, target: Target)] = []
      var paths: Set<String> = []
      for role in try rolesInOrder {
        for target in try content(of: role).targets.values where paths.insert(target.path).inserted {
          found.append((role, target))
        }
      }
      return found
    }
  }

  /// The content of a role that lists targets.
  func content(of role: String) throws(TrustError) -> TargetsRole {
    guard let signed = signed[role] else { throw TrustError(.notFound, role, "the repository has no such role") }
    let reader = MetadataReader(.map(signed), subject: role, place: "signed")
    return try TargetsRole(reader, try MetadataHeader(reader, type: .targets))
  }

  /// The roles that list targets, in the order in which clients search them.
  private var rolesInOrder: [String] {
    get throws(TrustError) {
      var roles: [String] = []
      var waiting = ["targets"]
      while let role = waiting.popLast() {
        guard !roles.contains(role) else { continue }
        roles.append(role)
        waiting += try content(of: role).delegations?.roleNames.reversed() ?? []
      }
      return roles
    }
  }

  /// The roles that clients search for a path, in their order.
  func roles(searchedFor path: String) throws(TrustError) -> [String] {
    var waiting = ["targets"]
    var roles: [String] = []
    while let role = waiting.popLast() {
      guard !roles.contains(role) else { continue }
      roles.append(role)
      let delegated = try content(of: role).delegations?.roles(for: path) ?? []
      if delegated.last?.isTerminating == true { waiting = [] }
      waiting += delegated.reversed().map(\.name)
    }
    return roles
  }

  /// The role that signs a path: the role that lists it, or else the first delegated role whose keys are available, or
  /// else `targets`.
  package func role(publishing path: String) throws(TrustError) -> String {
    let searched = try roles(searchedFor: path)
    for role in searched where try content(of: role).targets[path] != nil { return role }
    let possible = searched.filter(canSign)
    guard let role = possible.first(where: { $0 != "targets" }) ?? possible.first else {
      throw TrustError(.unsigned, path, try missingKeys(searched))
    }
    return role
  }

  /// The reason why none of the roles can sign: the missing keys of the role that lacks the fewest.
  private func missingKeys(_ roles: [String]) throws(TrustError) -> String {
    var nearest: (role: String, found: Int, threshold: Int)?
    for role in roles {
      let (ids, threshold) = try authority(of: role)
      let found = Set(ids).count { keys[$0] != nil }
      guard found > 0, Int(threshold) - found < nearest.map({ $0.threshold - $0.found }) ?? .max else { continue }
      nearest = (role, found, Int(threshold))
    }
    guard let nearest else { return "none of the keys at hand may publish this path" }
    return "the role '\(nearest.role)' needs the signatures of \(nearest.threshold) keys; \(nearest.found) of them "
      + "\(nearest.found == 1 ? "is" : "are") at hand"
  }

  /// The keys whose signatures make metadata of a role valid: those that each role which delegates to it names.
  func authorities(of role: String) throws(TrustError) -> [RoleKeys] {
    if role == RoleName.targets.rawValue {
      let reader = MetadataReader(.map(signed["root"] ?? ValueMap()), subject: "root", place: "signed")
      return [try RootRole(reader, try MetadataHeader(reader, type: .root))[.targets]]
    }
    var authorities: [RoleKeys] = []
    for parent in try rolesInOrder {
      if let keys = try content(of: parent).delegations?.authority(of: role) { authorities.append(keys) }
    }
    guard !authorities.isEmpty else { throw TrustError(.notFound, role, "nothing is delegated to this role") }
    return authorities
  }

  /// Reads a target, and checks that it is as signed.
  func read(_ target: Target) throws(TrustError) -> [UInt8] {
    let place = try Self.place(of: target.file, at: target.path)
    guard let bytes = try storage.read(place, of: target.path) else {
      throw TrustError(.storage, target.path, "there is no file '\(place)'")
    }
    try target.file.check(bytes, of: target.path)
    return bytes
  }
}
