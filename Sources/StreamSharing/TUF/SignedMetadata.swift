internal import StreamCore

/// Metadata of one role with its signatures, as read from a repository.
struct SignedMetadata<Role: RoleContent>: Sendable {
  let role: Role
  /// The name of the role, which for a delegated role is not its type.
  let name: String
  let signatures: [Signature]
  /// The canonical form of the signed part: the bytes that are signed.
  let signedBytes: [UInt8]
  /// The bytes of the file.
  let bytes: [UInt8]

  /// A signature, not yet verified.
  struct Signature: Hashable, Sendable {
    let keyID: String
    /// nil if the signature is not hexadecimal.
    let bytes: [UInt8]?
  }

  /// Reads metadata.
  ///
  /// - Parameter name: The name of the role.
  init(_ bytes: [UInt8], name: String) throws(TrustError) {
    let document = try MetadataReader(bytes: bytes, subject: name)
    let signed = try document["signed"]
    let header = try MetadataHeader(signed, type: Role.type)
    role = try Role(signed, header)
    var signatures: [Signature] = []
    var keyIDs: Set<String> = []
    for signature in try document["signatures"].list {
      let keyID = try signature["keyid"].text
      guard keyIDs.insert(keyID).inserted else {
        throw signature.problem("keyid", "a key has signed twice")
      }
      signatures.append(Signature(keyID: keyID, bytes: Hexadecimal.bytes(try signature["sig"].text)))
    }
    self.signatures = signatures
    self.name = name
    self.bytes = bytes
    signedBytes = try CanonicalJSON.bytes(signed.value, of: name)
  }

  /// The part that is signed.
  var signedPart: ValueMap {
    get throws(TrustError) { try MetadataReader(bytes: bytes, subject: name)["signed"].map }
  }

  /// Checks that enough keys of the role have signed.
  func verify(by authority: RoleKeys) throws(TrustError) {
    let valid = Set(
      signatures.compactMap { signature -> PublicKey.Identity? in
        guard let key = authority.keys[signature.keyID], let bytes = signature.bytes,
          key.isValid(bytes, for: signedBytes)
        else { return nil }
        return key.identity
      })
    guard valid.count >= authority.threshold else {
      throw TrustError(
        .unsigned, name,
        "\(valid.count.counted("valid signature")); \(authority.threshold) required")
    }
  }

  /// Checks that the metadata has not expired.
  func checkExpiration(at now: Timestamp) throws(TrustError) {
    guard now < role.header.expires else {
      throw TrustError(.expired, name, "version \(role.header.version) expired at \(role.header.expires.rfc3339)")
    }
  }
}

/// The content of one type of metadata.
protocol RoleContent: Sendable {
  /// The value of the member `_type`.
  static var type: RoleName { get }
  var header: MetadataHeader { get }
  init(_ signed: MetadataReader, _ header: MetadataHeader) throws(TrustError)
}

/// The members that all roles have.
struct MetadataHeader: Hashable, Sendable {
  /// The legal versions: each has a next one.
  static let versions: ClosedRange<Int64> = 1 ... .max - 1

  let version: Int64
  let expires: Timestamp

  init(_ signed: MetadataReader, type: RoleName) throws(TrustError) {
    let found = try signed["_type"].text
    guard found == type.rawValue else { throw signed.problem("_type", "found '\(found)', expected '\(type.rawValue)'") }
    let specification = try signed["spec_version"].text
    let parts = specification.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, parts.allSatisfy({ UInt32($0) != nil }), parts[0] == "1" else {
      throw signed.problem("spec_version", "version '\(specification)' of the specification is not supported")
    }
    version = try signed["version"].integer(in: Self.versions)
    let time = try signed["expires"].text
    // Exactly seconds in UTC, such as 2030-01-01T00:00:00Z.
    guard time.utf8.count == 20, time.utf8.last == UInt8(ascii: "Z"), let expires = Timestamp(rfc3339: time) else {
      throw signed.problem("expires", "'\(time)' is not a time such as 2030-01-01T00:00:00Z")
    }
    self.expires = expires
  }
}
