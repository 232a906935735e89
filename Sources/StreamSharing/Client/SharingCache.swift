internal import StreamCore
internal import StreamFiles

/// The stores of a client for everything that outlives its process: the trusted metadata, and a record for each stream.
public struct SharingCache: Sendable {
  /// The metadata of the repository.
  public var metadata: any MetadataStore
  /// The records of the streams, by their names, the ID of the client under `client`, and the time of the last refresh
  /// under `@refreshed`.
  public var streams: any MetadataStore
  /// The folder of the marks of crashes; nil if crashes are not noticed.
  var marks: String?

  /// Keeps everything in stores of the app. Crashes of the process during a probation are not noticed.
  public init(metadata: any MetadataStore, streams: any MetadataStore) {
    self.metadata = metadata
    self.streams = streams
  }

  /// Keeps everything in a folder, which is created if necessary. A process that is killed leaves old or new files.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - noticesCrashes: Whether a crash of the process counts against a version on probation. The process then handles the
  ///     signals of crashes from the first probation on, and calls earlier handlers, such as those of a crash reporter.
  ///     Default true.
  /// - Throws: `storage` if the folder cannot be created.
  public init(folder: String, noticesCrashes: Bool = true) throws(TrustError) {
    for part in [folder, Path.join(folder, "metadata"), Path.join(folder, "streams")] {
      try FolderFiles.makeFolder(part, isPrivate: true)
    }
    metadata = FolderStore(Path.join(folder, "metadata"))
    streams = FolderStore(Path.join(folder, "streams"))
    if noticesCrashes { marks = Path.join(folder, "streams") }
  }

  /// Sets the mark of a stream whose new version is about to run; nil if crashes are not noticed.
  func setMark(of name: StreamName) -> CrashMark? { path(ofMark: name).flatMap { CrashMark($0) } }

  /// Whether an earlier process has crashed while the mark of a stream was set. Removes the mark.
  func takeMark(of name: StreamName) -> Bool { path(ofMark: name).map { CrashMark.take($0) } ?? false }

  private func path(ofMark name: StreamName) -> String? {
    marks.map { Path.join($0, PercentEncoding.encode(name.description) + ".trial") }
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

  // Names of streams have no such character.
  private static let refreshName = "@refreshed"

  /// Notes that the repository has been read.
  func noteRefresh(at now: Int64) {
    // Without a cache, it is not known in the next process.
    try? streams.store(Array(JSONWriter.compact(["time": .int(now)]).utf8), as: Self.refreshName)
  }

  /// The time at which the repository was read last, in seconds since 1970; nil if that is not known.
  var lastRefresh: Int64? {
    guard let stored = try? streams.load(Self.refreshName) else { return nil }
    return try? MetadataReader(bytes: stored, subject: Self.refreshName)["time"].integer(in: 0 ... .max)
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
