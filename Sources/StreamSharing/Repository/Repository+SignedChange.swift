internal import StreamCore

extension Repository {
  /// Checks that a change is the next version of its role, signed by the role's keys.
  ///
  /// - Returns: The role after the change.
  /// - Throws: `unsigned` without the signatures, `wrongVersion` if the role has changed in between, `unsafeName` for
  ///   changes of other kinds than publications.
  func review(_ change: SignedChange, now: Int64) throws(TrustError) -> TargetsRole {
    let (role, known) = (change.role, try content(of: change.role))
    let next = try SignedMetadata<TargetsRole>(Self.bytes(of: change), name: role)
    for keys in try authorities(of: role) { try next.verify(by: keys) }
    guard next.role.header.version == known.header.version + 1 else {
      throw TrustError(
        .wrongVersion, role,
        "version \(next.role.header.version) does not follow version \(known.header.version); somebody else may have "
          + "published")
    }
    try next.checkExpiration(at: Timestamp(seconds: now))
    guard change.metadata.member("signed")?.member("delegations") == signed[role]?["delegations"] else {
      throw TrustError(.unsafeName, role, "the delegations are not those of before; change them in the repository")
    }
    return next.role
  }

  /// The file of a target in a change: one of its files, or one that the repository has.
  func bytes(of target: Target, in change: SignedChange) throws(TrustError) -> [UInt8] {
    // Its name in the repository: other hashes are not checked before they name a file.
    guard target.file.hashes["sha256"] != nil else {
      throw TrustError(.malformed, target.path, "the SHA-256 is missing")
    }
    for bytes in change.files where (try? target.file.check(bytes, of: target.path)) != nil { return bytes }
    for known in try content(of: change.role).targets.values where known.file == target.file { return try read(known) }
    throw TrustError(.mismatch, target.path, "the file is not part of the change")
  }

  /// Writes the metadata and the new files of a change that was reviewed, and signs a snapshot and a timestamp with them.
  mutating func accept(_ change: SignedChange, _ next: TargetsRole, now: Int64) throws(TrustError) {
    guard case .map(let content)? = change.metadata.member("signed") else {
      throw TrustError(.malformed, change.role, "there is no member 'signed'")
    }
    try self.change { changed throws(TrustError) in
      let known = try changed.content(of: change.role).targets
      for (path, target) in next.targets where known[path]?.file != target.file {
        let bytes = try changed.bytes(of: target, in: change)
        try changed.write(bytes, of: target.file, at: try Self.names(of: path))
      }
      try changed.publish(signed: content, Self.bytes(of: change), of: change.role, now: now)
    }
  }

  private static func bytes(of change: SignedChange) -> [UInt8] { Array(JSONWriter.pretty(change.metadata).utf8) }
}
