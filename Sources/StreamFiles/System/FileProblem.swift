internal import CLibrary
package import StreamCore

extension SystemError {
  /// Why a file could not be opened or read, for people.
  ///
  /// - Parameter isFed: Whether the file feeds an input, which standard input can feed as well.
  package func diagnostic(reading path: String, isFed: Bool = false) -> Diagnostic {
    switch number {
    case ENOENT, ENOTDIR:
      return Diagnostic(.fileNotFound, "there is no file '\(path)'", help: Self.help(forMissing: path, isFed: isFed))
    case EACCES, EPERM:
      return Diagnostic(
        .permissionDenied, "there is no permission to read the file '\(path)'", help: "use chmod +r to make it readable"
      )
    case EISDIR:
      return Diagnostic(.isDirectory, "'\(path)' is a directory; expected a file", help: "name a file in it")
    case SystemError.isReplaced.number:
      return Diagnostic(.cannotRead, "'\(path)' was replaced while it was opened")
    case EINVAL where path.utf8.contains(0):
      return Diagnostic(.cannotRead, "a path cannot contain a NUL character: '\(path)'")
    case SystemError.isOther.number:
      return Diagnostic(
        .snapshotMismatch, "'\(path)' does not have the content that the saved state has read",
        help: "put the old file back, or begin again with --state-mismatch reset")
    case SystemError.endOfFile.number:
      return Diagnostic(.cannotRead, "'\(path)' became shorter while it was read")
    case ELOOP:
      return Diagnostic(.cannotRead, "'\(path)' contains a cycle of symbolic links")
    case EMFILE, ENFILE:
      return Diagnostic(.cannotRead, "'\(path)' cannot be read: too many files are open")
    case ENAMETOOLONG:
      return Diagnostic(.cannotRead, "the file's name is too long: '\(path.prefix(60))…'")
    default:
      return Diagnostic(.cannotRead, "'\(path)' cannot be read: \(explanation)", help: help)
    }
  }

  private static func help(forMissing path: String, isFed: Bool) -> String? {
    if path.contains("://") {
      let commands = commands(for: path.prefix { $0 != ":" }.lowercased(), path)
      guard let commands else { return "write the path of a file" }
      return isFed
        ? "pipe the data in: \(commands.output) | streamrun FILE"
        : commands.download.map { "download the file first: \($0)" } ?? "write the path of a file"
    }
    if path.contains("{"), path.contains(","), path.contains("}") {
      return "a pattern in quotes has *, ? and [ ], such as '*.csv', and no braces"
    }
    if path.contains("*") {
      return isFed
        ? "no file matches the pattern; 'cat \(path) | streamrun FILE' feeds several files"
        : "no file matches the pattern"
    }
    return Directory.nearestName(to: path).map { "did you mean '\($0)'?" }
  }

  /// Returns the commands that print and download what an address with this scheme names; nil for unknown schemes.
  private static func commands(for scheme: String, _ address: String) -> (output: String, download: String?)? {
    switch scheme {
    case "http", "https", "ftp", "ftps": ("curl -sN '\(address)'", "curl -sSLo FILE '\(address)'")
    case "s3": ("aws s3 cp '\(address)' -", "aws s3 cp '\(address)' FILE")
    case "gs": ("gcloud storage cat '\(address)'", "gcloud storage cp '\(address)' FILE")
    case "kafka": ("kcat -C -b BROKER -t TOPIC", nil)
    default: nil
    }
  }

  /// Why a file could not be written, for people.
  package func diagnostic(writing path: String) -> Diagnostic {
    switch number {
    case ENOENT, ENOTDIR: return Diagnostic(.cannotWrite, Self.obstacle(toWriting: path))
    case EROFS:
      return Diagnostic(.permissionDenied, "'\(path)' cannot be written: the file system is read-only")
    case EACCES, EPERM:
      return Diagnostic(.permissionDenied, "there is no permission to write the file '\(path)'")
    case EISDIR:
      return Diagnostic(.isDirectory, "'\(path)' is a directory; expected a file", help: "name a file in it")
    case ENOSPC:
      return Diagnostic(.cannotWrite, "'\(path)' cannot be written: the disk is full")
    default:
      return Diagnostic(.cannotWrite, "'\(path)' cannot be written: \(explanation)")
    }
  }

  /// The reason why a path cannot be written, although its file need not exist: a part of it is not a directory.
  private static func obstacle(toWriting path: String) -> String {
    var part = path
    var status = stat()
    while lstat(part, &status) != 0, part != ".", part != "/" { part = Path.directory(of: part) }
    if Directory.isDirectory(part) {
      return part == Path.directory(of: path)
        ? "no file can be created in '\(part)'" : "'\(path)' cannot be written: its directory does not exist"
    }
    return status.st_mode & S_IFMT == S_IFLNK
      ? "'\(path)' cannot be written: '\(part)' is a link to a path that does not exist"
      : "'\(part)' is a file; expected a directory"
  }

  /// The system's own words.
  package var explanation: String {
    if let message { return message }
    guard let text = strerror(number) else { return "error \(number)" }
    return String(cString: text).lowercased()
  }
}
