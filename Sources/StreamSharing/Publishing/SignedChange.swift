package import StreamCore

/// A change of a stream that a publisher has signed. A hub signs the snapshot and the timestamp.
package struct SignedChange: Hashable, Sendable {
  /// The role that lists the stream: `targets`, or a delegated one.
  package let role: String
  /// The next metadata of the role: an object with `signed` and `signatures`.
  package let metadata: Value
  /// The contents of the files that are new, in any order.
  package let files: [[UInt8]]

  package init(role: String, metadata: Value, files: [[UInt8]]) {
    self.role = role
    self.metadata = metadata
    self.files = files
  }

  /// Reads a change as `json` writes it.
  ///
  /// - Throws: `malformed` if members are missing, unknown, or have other types.
  package init(json: Value) throws(TrustError) {
    let reader = MetadataReader(json, subject: "change", place: "")
    for (name, _) in try reader.members where !["role", "metadata", "files"].contains(name) {
      throw reader.problem(name, "unknown member")
    }
    role = try reader["role"].text
    metadata = .map(try reader["metadata"].map)
    files = try reader.optional("files")?.names.map { Array($0.utf8) } ?? []
  }

  /// The change for transport. Stream files are text, so they are strings.
  package var json: Value {
    [
      "role": .string(role), "metadata": metadata,
      "files": .list(files.map { .string(String(decoding: $0, as: UTF8.self)) }),
    ]
  }
}
