#if Sharing
internal import StreamCore

extension Repository {
  /// The time at which the newest metadata of a role expire, in seconds since 1970; nil if there is no such role.
  package func expiration(of role: String) -> Int64? {
    signed[role]?["expires"]?.text.flatMap { Timestamp(rfc3339: $0)?.seconds }
  }
}
#endif
