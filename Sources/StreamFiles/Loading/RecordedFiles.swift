internal import StreamCore
internal import Synchronization

/// The files of a recorded run, as a loader finds them.
///
/// A recording may come from anyone, so a path in it does not permit reading what is there now. Its stream files
/// are read from their texts. Files of values are read below the directory of the recording; a relative path counts from
/// there if the file is not where it was. A file elsewhere is read only while it has the digest in the recording.
package final class RecordedFiles: Sendable {
  /// The texts of stream files, by path.
  let texts: [String: [UInt8]]
  /// The places of stream files, by the paths that lead to them over links or `..`.
  private let links: [String: String]
  /// The SHA-256 digests of files of values, by path.
  private let digests: [String: String]
  /// The directory to which the paths in the main file are relative.
  private let home: String
  /// The directory of the recording, without links; nil for texts that name no files of values.
  let folder: String?
  /// The stamps of the files that have been found unchanged, by path.
  private let unchanged = Mutex<[String: FileStamp]>([:])

  package init(
    texts: [String: [UInt8]], links: [String: String], digests: [String: String] = [:], of identity: String,
    in folder: String? = nil
  ) {
    (self.texts, self.links, self.digests, self.folder) = (texts, links, digests, folder)
    home = Path.directory(of: identity)
  }

  /// The path of the stream file to which a path leads; nil if the recording does not have it.
  ///
  /// Older recordings do not have the places to which paths with `..` lead.
  func place(of path: String) -> String? {
    let plain = Path.withoutParents(path)
    return texts[path] != nil ? links[path] ?? path : texts[plain] != nil ? plain : nil
  }

  /// The place, seen from the directory of the recording, of a file that was below the directory of the main file.
  func moved(_ place: String) -> String? {
    guard let folder, place.utf8.starts(with: "\(home)/".utf8) else { return nil }
    return Path.join(folder, Path.dropFirst(home.utf8.count + 1, of: place))
  }

  /// Opens a file of the recorded run; nil if it has changed since, or if the recording does not have its digest.
  func openUnchanged(_ place: String) -> FileDescriptor? {
    guard let digest = digests[place], let real = try? Path.real(place), FileStamp(real)?.isRegular == true,
      let file = try? FileDescriptor.openRegular(real, below: "/")
    else { return nil }
    let stamp = FileStamp(file)
    let isKnown = unchanged.withLock { $0[place] } == stamp && stamp != nil
    if isKnown { return file }
    guard stamp?.isRegular == true, let content = try? file.digest(), content.text == digest,
      (try? file.seek(to: 0)) != nil, FileStamp(file) == stamp
    else {
      file.close()
      return nil
    }
    unchanged.withLock { $0[place] = stamp }
    return file
  }

  /// Whether a file has been opened because it has not changed.
  package func isUnchanged(_ place: String) -> Bool { unchanged.withLock { $0[place] } != nil }

  /// Returns the refusal of a file, with what the recording may read.
  func explaining(_ refusal: Diagnostic) -> Diagnostic {
    guard refusal.code == .notGranted else { return refusal }
    var refusal = refusal
    refusal.notes.append(
      "a recording reads files below its own directory, and others only as long as they have the digest in it")
    return refusal
  }
}

extension FileDescriptor {
  /// The number of the bytes that follow, and their SHA-256 digest.
  package func digest() throws(SystemError) -> (bytes: Int, text: String) {
    var content = ContentDigest()
    var count = 0
    while true {
      let piece = try read(atMost: 1 << 20)
      if piece.isEmpty { return (count, content.text) }
      count += piece.count
      content.update(piece)
    }
  }
}
