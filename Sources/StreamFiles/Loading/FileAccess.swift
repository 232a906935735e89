internal import StreamCore

/// The files that stream files may name: files below granted directories, and files that are granted by name.
///
/// A file that the user names is read wherever it is; the rules here apply to the files that it names in turn. By
/// default they have to be regular files below the directory of the file that the user named.
package struct FileAccess: Equatable, Sendable {
  /// Whether stream files may name other files at all.
  package var isAllowed = true
  /// The reason why stream files may not name other files, if they may not.
  package var refusal = "--no-files forbids stream files to refer to files"
  /// Whether the directory of the file that the user named grants nothing: only the granted paths do.
  package var isSandboxed = false
  /// Granted paths. A directory grants everything below it; any other path grants one file, pipe or device.
  package var granted: [String] = []
  /// The paths that the user named. They are granted too, unless `isAllowed` is false.
  package var named: [String] = []

  /// Whether a recording may read a file outside of its directory that has not changed since the recorded run.
  package var readsUnchanged = true
  /// Whether a refusal names the option that allows the file.
  package var offersOption = true

  /// Whether it may, and stream files may name such files at all.
  var allowsUnchanged: Bool { isAllowed && !isSandboxed && readsUnchanged }

  package init(isAllowed: Bool = true, granted: [String] = [], named: [String] = []) {
    self.isAllowed = isAllowed
    self.granted = granted
    self.named = named
  }

  /// Whether a command found a path in a directory that the user named.
  func isFound(_ path: String) -> Bool {
    path != StandardInput.argument && !named.isEmpty && !named.contains(path)
  }

  /// The rules for files that a command found in a directory.
  var ofFound: FileAccess { FileAccess(granted: named) }

  /// Opens a file that a stream file refers to, for reading.
  ///
  /// Does not block, unless the file itself is granted and is a pipe without a writer. If a symbolic link replaces a
  /// directory or the file in the meantime, it is not followed.
  ///
  /// - Parameters:
  ///   - name: The name of the file in diagnostics.
  ///   - folders: Additional granted directories, without links in their paths.
  /// - Throws: The reason why the file cannot be opened or is not granted. Reveals nothing about a file that is not
  ///   granted.
  func open(_ path: String, calling name: String, orBelow folders: [String]) throws(Diagnostic) -> FileDescriptor {
    let place = try find(path, calling: name, orBelow: folders)
    do throws(SystemError) {
      switch place {
      case .granted(let status):
        return try FileDescriptor.open(path).closing(unless: { $0.identity == status.identity }, SystemError.isReplaced)
      case .below(let folder, let rest):
        let file = try FileDescriptor.openRegular(rest, below: folder)
        return try file.closing(unless: { $0.kind == .regular }, SystemError.isReplaced)
      }
    } catch {
      throw error.diagnostic(reading: name)
    }
  }

  /// The path without links of a file that a stream file names.
  ///
  /// - Throws: the errors of `open`.
  func realPath(of path: String, calling name: String, orBelow folders: [String]) throws(Diagnostic) -> String {
    switch try find(path, calling: name, orBelow: folders) {
    case .granted: (try? Path.real(path)) ?? Path.absolute(path)
    case .below(let folder, let rest): Path.join(folder, rest)
    }
  }

  /// Refuses a file that is not granted, whether or not it exists.
  func check(_ path: String, calling name: String, orBelow folders: [String]) throws(Diagnostic) {
    do throws(Diagnostic) {
      _ = try find(path, calling: name, orBelow: folders)
    } catch {
      if error.code == .notGranted { throw error }
    }
  }

  // MARK: Places

  private enum Place {
    /// A file that is granted by name.
    case granted(FileStatus)
    /// A regular file below a granted directory; both without links.
    case below(String, String)
  }

  private func find(_ path: String, calling name: String, orBelow beside: [String]) throws(Diagnostic) -> Place {
    let folders = isSandboxed ? [] : beside
    guard isAllowed else {
      throw Self.refusal(name, refusal, help: nil)
    }
    guard !path.utf8.contains(0) else { throw SystemError.invalid.diagnostic(reading: name) }
    do throws(SystemError) {
      let status = try FileStatus(path)
      let real = try? Path.real(path)
      if status.kind == .regular, let real, let folder = folder(of: real, orIn: folders) {
        return .below(folder, Path.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1, of: real))
      }
      if status.kind != .directory, isGranted(status) { return .granted(status) }
      guard let real, folder(of: real, orIn: folders) != nil else { throw SystemError.isOutside }
      throw status.kind == .directory ? SystemError.isDirectory : SystemError.isNoFile
    } catch {
      if error == .isNoFile {
        throw Diagnostic(
          .cannotRead, "'\(name)' is a pipe, a socket or a device; a stream file may refer to regular files only",
          help: advice(name))
      }
      guard error != .isOutside, mayExist(path, calling: name, orBelow: folders) else {
        throw Self.refusal(
          name,
          isSandboxed
            ? "--sandbox lets a stream file refer only to files that the command line names"
            : "the file is outside \(Self.list(folders + directories)); a stream file may only refer to files inside",
          help: advice(name))
      }
      throw error.diagnostic(reading: name)
    }
  }

  private static func refusal(_ name: String, _ reason: String, help: String?) -> Diagnostic {
    Diagnostic(.notGranted, "access to '\(name)' is denied: \(reason)", help: help)
  }

  private func advice(_ name: String) -> String? { offersOption ? "'--allow-read \(name)' allows it" : nil }

  private static func list(_ folders: [String]) -> String {
    var seen: Set<String> = []
    let names = folders.filter { seen.insert($0).inserted }.map { "'\($0)'" }
    return names.isEmpty ? "every granted directory" : names.joined(separator: " and ")
  }

  /// Whether a file that cannot be found would be granted, so that its absence may be reported.
  private func mayExist(_ path: String, calling name: String, orBelow folders: [String]) -> Bool {
    if (granted + named).contains(name) { return true }
    guard let place = Path.expected(path) ?? Path.existingPart(of: path)?.real else { return false }
    return folder(of: place, orIn: folders) != nil
  }

  /// The granted directories without links in their paths.
  private var directories: [String] {
    (granted + named).filter { $0 != StandardInput.argument && Directory.isDirectory($0) }.compactMap {
      try? Path.real($0)
    }
  }

  private func isGranted(_ status: FileStatus) -> Bool {
    (granted + named).contains { path in
      path != StandardInput.argument && (try? FileStatus(path))?.identity == status.identity
    }
  }

  /// The granted directory that contains a path without links.
  private func folder(of path: String, orIn folders: [String]) -> String? {
    func contains(_ folder: String) -> Bool {
      folder == "/" || path.utf8.elementsEqual(folder.utf8) || path.utf8.starts(with: "\(folder)/".utf8)
    }
    return folders.first(where: contains) ?? directories.first(where: contains)
  }
}
