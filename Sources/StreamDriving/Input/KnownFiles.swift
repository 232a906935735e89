internal import StreamFiles

/// Files that have been read to their ends, or need not be read, by number and content.
struct KnownFiles {
  private var files: [(identity: FileStamp.Identity, content: KnownContent)] = []
  /// The stamps of files that have been compared and are known.
  private var compared: Set<FileStamp> = []

  /// The most files that are kept although nothing has their names: they may appear again, compressed.
  private static let longest = 256
  /// The most of these that a state has.
  private static let longestSaved = 16

  mutating func add(_ identity: FileStamp.Identity?, _ content: KnownContent) {
    guard let identity else { return }
    files.removeAll { $0.identity == identity }
    files.append((identity, content))
    compared = []
  }

  /// Returns what is known of the content of a file; nil if it is not known.
  ///
  /// NB: A number alone shows nothing: it may have been that of a file that is gone.
  mutating func content(of found: FoundFile) -> KnownContent? {
    guard let content = files.first(where: { $0.identity == found.identity })?.content else { return nil }
    // Two short files may begin alike, as tables with one header do.
    guard content.offset >= ContentEdges.length || content.offset == Int(found.stamp.size) else { return nil }
    if compared.contains(found.stamp) { return content }
    guard let file = found.content else { return nil }
    defer { file.close() }
    guard content.isRecognized(in: file) else { return nil }
    compared.insert(found.stamp)
    return content
  }

  /// Whether a file has been read or need not be, also before it was compressed.
  mutating func contains(_ found: FoundFile) -> Bool {
    if content(of: found) != nil { return true }
    guard found.isCompressed, contains(compressed: found.path) else { return false }
    add(compressed: found)
    return true
  }

  /// Notes that what has been compressed into a file has been read.
  mutating func add(compressed found: FoundFile) {
    guard let file = found.content else { return }
    defer { file.close() }
    if let content = KnownContent(compressed: file) { add(found.identity, content) }
  }

  /// Whether one of the files has been compressed into this one.
  private func contains(compressed path: String) -> Bool {
    files.contains { file in
      // If a file is not to be read, only its beginning is known.
      let isLong = file.content.offset >= ContentEdges.length
      return file.content.isRecognized(compressedAs: path, isLong ? .beginning : .whole)
    }
  }

  /// Whether one of the files begins as this one does, decompressed.
  func contains(beginningOfCompressed path: String) -> Bool {
    files.contains { $0.content.isRecognized(compressedAs: path, .beginning) }
  }

  /// The latest files that are gone, or that programs are compressing.
  ///
  /// - Parameter isPresent: Whether a file is not gone.
  func gone(besides isPresent: (FileStamp.Identity) -> Bool) -> [(identity: FileStamp.Identity, content: KnownContent)]
  {
    files.filter { !$0.content.isCompressed && !isPresent($0.identity) }.suffix(Self.longestSaved)
  }

  /// Forgets the oldest files that are gone.
  mutating func forget(allBut present: () -> Set<FileStamp.Identity>) {
    guard files.count > Self.longest else { return }
    let present = present()
    var spare = files.count - Self.longest
    files.removeAll { file in
      guard spare > 0, !present.contains(file.identity) else { return false }
      spare -= 1
      return true
    }
  }
}
