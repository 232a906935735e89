internal import StreamCore

extension Repository {
  /// The version of the newest metadata of a role; 0 if there is no such role.
  package func version(of role: String) -> Int64 {
    guard case .int(let version)? = signed[role]?["version"] else { return 0 }
    return version
  }

  /// The time at which the newest metadata of a role expire, in seconds since 1970; nil if there is no such role.
  package func expiration(of role: String) -> Int64? {
    signed[role]?["expires"]?.text.flatMap { Timestamp(rfc3339: $0)?.seconds }
  }

  /// The expirations of all roles, the root first.
  package var expirations: [RoleExpiration] {
    let names = RoleName.allCases.map(\.rawValue)
    return (names + signed.keys.filter { !names.contains($0) }.sorted()).compactMap { role in
      expiration(of: role).map { RoleExpiration(role: role, expires: $0) }
    }
  }
}
