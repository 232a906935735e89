internal import StreamCore
internal import StreamFiles
internal import StreamKit

/// The folder of a studio. No path leads out of it: symbolic links are resolved first.
final class StudioFolder: Sendable {
  /// The path without links.
  let root: String

  /// Maximum length of a file that is opened, in bytes.
  static let longestText = 16 * 1024 * 1024
  /// Maximum number of files that are listed.
  private static let fileLimit = 10_000

  /// - Throws: The reason why the path is not a folder.
  init(_ path: String) throws(Diagnostics) {
    do throws(SystemError) {
      root = try Path.real(path)
    } catch {
      throw Diagnostics([error.diagnostic(reading: path)])
    }
    guard Directory.isDirectory(root) else {
      throw Diagnostics(
        .cannotRead, "'\(path)' is not a folder; the studio shows the stream files of a folder",
        help: "streamstudio \(Path.directory(of: path))")
    }
  }

  // MARK: Paths

  /// The files that streams and recordings of the folder may name.
  var access: FileAccess {
    var access = FileAccess(granted: [root])
    (access.readsUnchanged, access.offersOption) = (false, false)
    return access
  }

  /// Returns the place of a file of the folder, which need not exist.
  ///
  /// - Throws: 403 for a path that leads out of the folder, 400 for an invalid path.
  func place(of path: String) throws(StudioProblem) -> String {
    guard !path.isEmpty, !path.utf8.contains(0), !path.hasPrefix("/"), path.utf8.count < 4096 else {
      throw .invalid("'\(path)' is not a path from the folder")
    }
    let place = Path.join(root, path)
    guard let real = (try? Path.real(place)) ?? Path.expected(place), isInside(real) else {
      throw StudioProblem(.forbidden, "'\(path)' is not in the folder of the studio")
    }
    return real
  }

  /// Returns the place of a regular file that exists: a pipe would wait for a writer.
  func file(_ path: String) throws(StudioProblem) -> String {
    let place = try place(of: path)
    guard let stamp = FileStamp(place) else { throw .missing("there is no file '\(path)'") }
    guard stamp.isRegular else { throw StudioProblem(.unprocessableContent, "'\(path)' is not a regular file") }
    return place
  }

  func isInside(_ place: String) -> Bool { root == "/" || place.utf8.starts(with: "\(root)/".utf8) }

  /// The path of a place from the folder.
  func path(of place: String) -> String {
    isInside(place) ? Path.dropFirst(root == "/" ? 1 : root.utf8.count + 1, of: place) : place
  }

  // MARK: Files

  /// A file as the list has it.
  struct Entry: Hashable, Sendable {
    let path: String
    let size: Int
    let stamp: FileStamp
  }

  /// The files of the folder and the folders in it, by what they can be used for; names that begin with a dot are left
  /// out.
  struct Contents: Sendable {
    var streams: [Entry] = []
    var recordings: [Entry] = []
    var data: [Entry] = []
    /// The folders of saved states.
    var states: [String] = []
  }

  func contents() -> Contents {
    var contents = Contents()
    var waiting = [root]
    var count = 0
    while let folder = waiting.popLast() {
      guard let names = try? Directory.names(in: folder) else { continue }
      if folder != root, names.contains("lock"), names.contains(where: { $0.hasPrefix("state-") }) {
        contents.states.append(path(of: folder))
        continue
      }
      for name in names where !name.hasPrefix(".") && name != "node_modules" && count < Self.fileLimit {
        let place = Path.join(folder, name)
        if Directory.isLink(place), (try? Path.real(place)).map(isInside) != true { continue }
        if Directory.isDirectory(place) {
          // A link to a folder may form a circle.
          if (try? Path.real(place)) == place { waiting.append(place) }
          continue
        }
        guard let stamp = FileStamp(place), stamp.isRegular, let size = try? FileStatus(place).size else { continue }
        count += 1
        let entry = Entry(path: path(of: place), size: size, stamp: stamp)
        if name.hasSuffix(".json") {
          contents.streams.append(entry)
        } else if name.hasSuffix(".ndjson"), isRecording(place) {
          contents.recordings.append(entry)
        } else if FileFormat(ofFile: name) != nil {
          contents.data.append(entry)
        }
      }
    }
    contents.streams.sort { $0.path < $1.path }
    contents.recordings.sort { $0.path < $1.path }
    contents.data.sort { $0.path < $1.path }
    contents.states.sort()
    return contents
  }

  /// Whether a file begins as a recording does.
  private func isRecording(_ place: String) -> Bool {
    guard let file = try? FileDescriptor.open(place) else { return false }
    defer { file.close() }
    let start = (try? file.read(atMost: 16)) ?? []
    return start.starts(with: "{\"recording\":".utf8)
  }

  // MARK: Texts

  /// Returns the text of a file; nil if there is none.
  func text(of path: String) throws(StudioProblem) -> String? {
    guard FileStamp(try place(of: path)) != nil else { return nil }
    let place = try file(path)
    do throws(Diagnostic) {
      let bytes = try FileContents.read(place, name: path, limit: Self.longestText, noting: UsedFiles())
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Diagnostic(.cannotRead, "'\(path)' is not UTF-8")
      }
      return text
    } catch {
      throw StudioProblem(.unprocessableContent, error.message, detail: error.help)
    }
  }

  /// The digest by which the page recognizes a text.
  static func digest(of text: String) -> String {
    var digest = ContentDigest()
    digest.update(text)
    return digest.text
  }

  /// Replaces the text of a file, or creates it.
  ///
  /// - Parameter base: The digest of the text that the change begins with; nil for a file that does not exist.
  /// - Throws: `Changed` if the file has another text.
  func write(_ text: String, to path: String, base: String?) throws(StudioProblem) {
    let place = try place(of: path)
    do throws(Diagnostics) {
      if base == nil {
        do throws(SystemError) { try Directory.createAll(Path.directory(of: place)) } catch {
          throw Diagnostics([error.diagnostic(writing: path)])
        }
      }
      let lock = FileStamp(place) == nil ? nil : try FileLock.take(editing: place, telling: { _ in })
      defer { withExtendedLifetime(lock) {} }
      let stamp = FileStamp(place)
      let current: String?
      do throws(StudioProblem) { current = try self.text(of: path) } catch {
        throw Diagnostics(.cannotRead, error.title)
      }
      guard current.map(Self.digest) == base else { throw Diagnostics(.cannotWrite, Self.changed) }
      _ = try Diagnostics.listing { () throws(Diagnostic) in
        try AtomicFile.write(Array(text.utf8), to: place, replacing: stamp)
      }
    } catch {
      let first = error.all.first
      guard first?.message == Self.changed else {
        throw StudioProblem(.unprocessableContent, first?.message ?? "'\(path)' cannot be written", detail: first?.help)
      }
      throw StudioProblem(.conflict, "'\(path)' has changed on disk")
    }
  }

  private static let changed = "the file has changed"
}
