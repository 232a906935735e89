#if Sharing
internal import CLibrary
internal import StreamCore
internal import StreamDriving

/// The stores of a client for everything that outlives its process: the trusted metadata, and a record for each stream.
public struct SharingCache: Sendable {
  /// The metadata of the repository.
  public var metadata: any MetadataStore
  /// The records of the streams, by their names, and the ID of the client under `client`.
  public var streams: any MetadataStore

  public init(metadata: any MetadataStore, streams: any MetadataStore) {
    self.metadata = metadata
    self.streams = streams
  }

  /// Keeps everything in a folder, which is created if necessary. A process that is killed leaves old or new files.
  ///
  /// - Throws: `storage` if the folder cannot be created.
  public init(folder: String) throws(TrustError) {
    for part in [folder, Path.join(folder, "metadata"), Path.join(folder, "streams")] {
      guard mkdir(part, 0o700) == 0 || errno == EEXIST else {
        throw TrustError(.storage, part, String(cString: strerror(errno)).lowercased())
      }
    }
    metadata = FolderStore(Path.join(folder, "metadata"))
    streams = FolderStore(Path.join(folder, "streams"))
  }

  /// The opaque ID of this installation, which is made once.
  func clientID() -> String {
    if let stored = try? streams.load("client"), let value = try? MetadataReader(bytes: stored, subject: "client"),
      let id = try? value["id"].text, !id.isEmpty, id.utf8.count <= 200
    {
      return id
    }
    var generator = SystemRandomNumberGenerator()
    let id = Hexadecimal.text((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    // Without a cache, the ID lasts as long as the process.
    try? streams.store(Array(JSONWriter.compact(["id": .string(id)]).utf8), as: "client")
    return id
  }

  /// Trusts the root that the app ships with, unless a newer one has replaced it.
  package func trust(_ root: [UInt8]) throws(TrustError) {
    let shipped = try TrustedMetadata(root: root, at: Timestamp(seconds: 0))
    if let stored = try? metadata.load("root"),
      let known = try? TrustedMetadata(root: stored, at: Timestamp(seconds: 0)),
      known.root.role.header.version >= shipped.root.role.header.version
    {
      return
    }
    try metadata.store(root, as: "root")
  }
}
#endif
