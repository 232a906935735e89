package import StreamCore
internal import StreamFiles

/// The folder in which a run keeps its state.
///
/// It holds the two states that were saved last, `state-1`, `state-2` and so on, and the file `lock`, which the process
/// that uses the folder has locked. A state is written to a new file, which is renamed once it is on disk.
package final class StateFolder {
  package let path: String
  private let lock: FileDescriptor?

  /// A state in the folder.
  package struct Entry: Hashable, Sendable {
    package let number: Int
    package let path: String
  }

  /// The paths of the files that a run writes in a folder, which need not exist yet: those that are known before it runs.
  static func files(in folder: String) -> [String] {
    let states = ((try? Directory.names(in: folder)) ?? []).filter { $0.hasPrefix(prefix) }
    return (["lock", "socket"] + states).map { Path.join(folder, $0) }
  }

  /// Number of states that are kept.
  static let keptCount = 2

  /// Opens a folder for a run, and creates it if it does not exist.
  ///
  /// - Throws: A diagnostic if it cannot be made or written to, or if another process uses it.
  package static func opening(_ path: String) throws(Diagnostic) -> StateFolder {
    do throws(SystemError) {
      try Directory.create(path, isPrivate: true)
    } catch {
      throw error.diagnostic(writing: path)
    }
    // A power cut must not remove a new folder and keep outputs of its states: a run that begins again appends to them.
    Directory.synchronize(holding: path)
    let lockPath = Path.join(path, "lock")
    let file: FileDescriptor
    do throws(SystemError) {
      file = try FileDescriptor.append(lockPath, isPrivate: true)
    } catch {
      throw error.diagnostic(writing: lockPath)
    }
    // A process that was killed may still be saving, in a copy of itself that ends at once.
    for attempt in 0..<20 {
      if file.lockIfFree() { return StateFolder(path, file) }
      if attempt < 19 { _ = Waiting.readable([], nanoseconds: 50_000_000) }
    }
    file.close()
    throw Diagnostic(
      .cannotWrite, "another process uses the state in '\(path)'",
      help: "stop it, or give each run a folder of its own")
  }

  /// Opens a folder for reading.
  ///
  /// - Throws: A diagnostic if there is none.
  package static func reading(_ path: String) throws(Diagnostic) -> StateFolder {
    guard Directory.isDirectory(path) else {
      throw Diagnostic(
        .fileNotFound, "there is no folder '\(path)'", help: "streamrun FILE --state DIR makes one")
    }
    return StateFolder(path, nil)
  }

  private init(_ path: String, _ lock: FileDescriptor?) {
    self.path = path
    self.lock = lock
  }

  deinit { lock?.close() }

  /// The states in the folder, the newest first.
  package func entries() throws(Diagnostic) -> [Entry] {
    let names: [String]
    do throws(SystemError) {
      names = try Directory.names(in: path)
    } catch {
      throw error.diagnostic(reading: path)
    }
    return names.compactMap { name in
      guard name.hasPrefix(Self.prefix), let number = Int(name.dropFirst(Self.prefix.count)), number > 0 else {
        return nil
      }
      return Entry(number: number, path: Path.join(path, name))
    }.sorted { $0.number > $1.number }
  }

  private static let prefix = "state-"

  /// Reads a state.
  ///
  /// - Throws: Why it cannot be used.
  package func read(_ entry: Entry) throws(Diagnostic) -> SavedRun {
    let bytes: [UInt8]
    do throws(SystemError) {
      let file = try FileDescriptor.open(entry.path)
      defer { file.close() }
      bytes = try file.read(exactly: file.status().size, at: 0)
    } catch {
      throw error.diagnostic(reading: entry.path)
    }
    let content: [UInt8]
    do throws(StateFile.Damage) {
      content = try StateFile.content(of: bytes)
    } catch {
      guard !error.isNewer else {
        throw Diagnostic(
          .snapshotMismatch, "'\(entry.path)' \(error.text)",
          help: "use the newer program, or begin again with --state-mismatch reset")
      }
      throw Diagnostic(.snapshotMismatch, "'\(entry.path)' is damaged: \(error.text)")
    }
    return try SavedRun(reading: content, file: entry.path)
  }

  /// The newest state; nil if there is none.
  ///
  /// - Throws: Why it cannot be used; the help names the one before it, if that is whole.
  package func newest() throws(Diagnostic) -> (entry: Entry, saved: SavedRun)? {
    let entries = try entries()
    guard let first = entries.first else { return nil }
    do throws(Diagnostic) {
      return (first, try read(first))
    } catch {
      var problem = error
      if problem.help != nil { throw problem }
      problem.help = "begin again with --state-mismatch reset"
      for entry in entries.dropFirst() {
        guard let older = try? read(entry) else { continue }
        problem.help =
          "remove it to continue from '\(entry.path)', which was saved at \(older.savedAt)"
        break
      }
      throw problem
    }
  }

  /// Writes a state, and removes those that are too old. Returns the number of bytes.
  @discardableResult
  func write(_ content: [UInt8], number: Int) throws(Diagnostic) -> Int {
    let bytes = StateFile.bytes(of: content)
    try AtomicFile.write(bytes, to: Path.join(path, Self.prefix + String(number)), isPrivate: true)
    for entry in try entries() where entry.number <= number - Self.keptCount { try? Directory.remove(entry.path) }
    return bytes.count
  }

  /// Removes all states.
  func removeAll() throws(Diagnostic) {
    for entry in try entries() {
      do throws(SystemError) {
        try Directory.remove(entry.path)
      } catch {
        throw error.diagnostic(writing: entry.path)
      }
    }
  }
}
