#if Sharing
internal import StreamCore

// The targets of all roles, as a publisher sees them.
extension Repository {
  /// The names of all roles, the top-level ones first.
  package var roleNames: [String] {
    let top = RoleName.allCases.map(\.rawValue)
    return top + signed.keys.filter { !top.contains($0) }.sorted()
  }

  /// The bytes of the first root, with which clients begin.
  package var firstRoot: [UInt8] {
    get throws(TrustError) {
      guard let bytes = try storage.read("metadata/1.root.json", of: "root") else {
        throw TrustError(.storage, "root", "there is no file 'metadata/1.root.json'")
      }
      return bytes
    }
  }

  /// The targets with the roles that list them; of several roles that list a path, the one that clients find first.
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

  /// The role that signs a path: the one that lists it, or else the first one that it is delegated to and whose keys are
  /// at hand, or else `targets`.
  func role(publishing path: String) throws(TrustError) -> String {
    var waiting = ["targets"]
    var visited: Set<String> = []
    var possible: [String] = []
    while let role = waiting.popLast() {
      guard visited.insert(role).inserted else { continue }
      let content = try content(of: role)
      if content.targets[path] != nil { return role }
      if canSign(role) { possible.append(role) }
      let delegated = content.delegations?.roles(for: path) ?? []
      if delegated.last?.isTerminating == true { waiting = [] }
      waiting += delegated.reversed().map(\.name)
    }
    guard let role = possible.first(where: { $0 != "targets" }) ?? possible.first else {
      throw TrustError(.unsigned, path, "none of the keys at hand may publish this path")
    }
    return role
  }

  /// Reads a target, and checks that it is as signed.
  func read(_ target: Target) throws(TrustError) -> [UInt8] {
    var names = ["targets"] + target.path.split(separator: "/").map(String.init)
    names.append("\(target.file.preferredHash ?? "").\(names.removeLast())")
    let place = names.joined(separator: "/")
    guard let bytes = try storage.read(place, of: target.path) else {
      throw TrustError(.storage, target.path, "there is no file '\(place)'")
    }
    try target.file.check(bytes, of: target.path)
    return bytes
  }
}
#endif
