/// The store of the metadata that a client trusts, under the names of their roles without a version.
public protocol MetadataStore: Sendable {
  /// The stored metadata of a role; nil if there is none.
  func load(_ role: String) throws(TrustError) -> [UInt8]?
  /// Replaces the metadata of a role. After a crash, the store has either the old or the new bytes.
  func store(_ bytes: [UInt8], as role: String) throws(TrustError)
}
