/// The keys that sign a role, and the number of them that have to.
struct RoleKeys: Sendable {
  /// The keys that the role may use, by their IDs. IDs without a usable key are left out.
  let keys: [String: PublicKey]
  let threshold: Int

  /// Reads the members `keyids` and `threshold`.
  init(_ role: MetadataReader, among known: [String: PublicKey]) throws(TrustError) {
    let names = try role["keyids"].names
    threshold = Int(try role["threshold"].integer(in: 1...Int64(Int32.max)))
    keys = names.reduce(into: [:]) { keys, name in keys[name] = known[name] }
  }

  /// Reads keys by their IDs.
  static func table(_ keys: MetadataReader) throws(TrustError) -> [String: PublicKey] {
    var table: [String: PublicKey] = [:]
    for (id, key) in try keys.members { table[id] = try PublicKey(key) }
    return table
  }
}
