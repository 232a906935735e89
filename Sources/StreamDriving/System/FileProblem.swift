internal import CLibrary
package import StreamCore

extension SystemError {
  /// Why a file could not be opened or read, for people.
  package func diagnostic(reading path: String) -> Diagnostic {
    switch number {
    case ENOENT, ENOTDIR:
      return Diagnostic(.fileNotFound, "there is no file '\(path)'", help: Self.help(forMissing: path))
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
    case ELOOP:
      return Diagnostic(.cannotRead, "'\(path)' contains a cycle of symbolic links")
    case EMFILE, ENFILE:
      return Diagnostic(.cannotRead, "'\(path)' cannot be read: too many files are open")
    case ENAMETOOLONG:
      return Diagnostic(.cannotRead, "the file's name is too long: '\(path.prefix(60))…'")
    default:
      return Diagnostic(.cannotRead, "'\(path)' cannot be read: \(explanation)")
    }
  }

  private static func help(forMissing path: String) -> String? {
    if path.contains("://") { return "streamrun reads files; pipe the data in: curl -sN '\(path)' | streamrun FILE" }
    if path.contains("*") { return "no file matches the pattern; 'cat \(path) | streamrun FILE' feeds several files" }
    return Directory.nearestName(to: path).map { "did you mean '\($0)'?" }
  }

  /// Why a file could not be written, for people.
  package func diagnostic(writing path: String) -> Diagnostic {
    switch number {
    case ENOENT, ENOTDIR:
      return Diagnostic(.cannotWrite, "'\(path)' cannot be written: its directory does not exist")
    case EACCES, EPERM, EROFS:
      return Diagnostic(.permissionDenied, "there is no permission to write the file '\(path)'")
    case EISDIR:
      return Diagnostic(.isDirectory, "'\(path)' is a directory; expected a file", help: "name a file in it")
    case ENOSPC:
      return Diagnostic(.cannotWrite, "'\(path)' cannot be written: the disk is full")
    default:
      return Diagnostic(.cannotWrite, "'\(path)' cannot be written: \(explanation)")
    }
  }

  /// The system's own words.
  private var explanation: String {
    guard let text = strerror(number) else { return "error \(number)" }
    return String(cString: text).lowercased()
  }
}
