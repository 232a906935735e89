/// A reason to refuse metadata or a target of a repository, or the lack of one of them.
public struct TrustError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of refusal, for programs. A kind is stable, the message is not.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Bytes that are not metadata of the role, or of a version of the specification that is not supported.
    case malformed
    /// Too few valid signatures of the role's keys.
    case unsigned
    /// A version below, or a content older than, one that was trusted before.
    case rollback
    /// A version other than the signed one.
    case wrongVersion
    /// Metadata after its expiration.
    case expired
    /// Bytes with another length or another hash than the signed ones.
    case mismatch
    /// More bytes, roles or versions than the limits permit.
    case tooLarge
    /// A target, or a role, that is not part of the repository.
    case notFound
    /// A name that would leave the folder of a repository or a cache.
    case unsafeName
    /// A repository that could not be read.
    case unreachable
    /// A folder that could not be read or written.
    case storage
  }

  public let kind: Kind
  /// The role or the path of the target that was refused, for example `snapshot`.
  public let subject: String
  public let reason: String

  public init(_ kind: Kind, _ subject: String, _ reason: String) {
    self.kind = kind
    self.subject = subject
    self.reason = reason
  }

  public var description: String { "\(subject): \(reason)" }
}
