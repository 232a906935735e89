internal import StreamCore
internal import StreamFiles

/// Reads and writes the files of repositories and caches.
package enum FolderFiles {
  /// Whether a name is one file of a folder.
  package static func isName(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(0)
  }

  /// Reads a file; nil if there is none.
  package static func read(_ path: String, atMost limit: Int, of subject: String) throws(TrustError) -> [UInt8]? {
    do throws(Diagnostic) {
      return try FileContents.read(path, name: path, limit: limit)
    } catch {
      switch error.code {
      case .fileNotFound: return nil
      case .tooLarge: throw TrustError(.tooLarge, subject, "more than \(limit) bytes")
      default: throw TrustError(.storage, subject, error.message)
      }
    }
  }

  /// Creates a folder, unless it exists. The folder around it exists.
  ///
  /// - Parameter isPrivate: Whether only the owner may look into it.
  package static func makeFolder(_ path: String, isPrivate: Bool) throws(TrustError) {
    do throws(SystemError) {
      try Directory.create(path, isPrivate: isPrivate)
    } catch {
      throw TrustError(.storage, path, error.explanation)
    }
  }

  /// Replaces a file; the folder exists.
  package static func write(_ bytes: [UInt8], to path: String, of subject: String) throws(TrustError) {
    do throws(Diagnostic) {
      try AtomicFile.write(bytes, to: path)
    } catch {
      throw TrustError(.storage, subject, error.message)
    }
  }
}
