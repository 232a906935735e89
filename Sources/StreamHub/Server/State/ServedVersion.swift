@_spi(Engine) internal import StreamCore
internal import StreamFiles
internal import Synchronization

/// The version of the newest timestamp that a hub has served, which shows after a restart whether the repository is older,
/// such as one that was restored.
final class ServedVersion: Sendable {
  private let path: String
  private let version: Mutex<Int64>

  init(_ path: String) {
    self.path = path
    var reader = JSONReader()
    let stored = (try? FileContents.read(path, name: path, limit: 4_096)).flatMap { try? reader.read($0) }
    if case .int(let number)? = stored?.member("timestamp") { version = Mutex(number) } else { version = Mutex(0) }
  }

  /// Notes the version of the timestamp that is served.
  ///
  /// - Returns: The reason why clients refuse it; nil if it is the newest one.
  func problem(of newest: Int64) -> String? {
    let known = version.withLock { version in
      defer { version = max(version, newest) }
      return version
    }
    guard newest >= known else {
      return "the repository is older than the copy that this hub has served: its timestamp is version \(newest), "
        + "after version \(known). Clients that know the newer one refuse it; restore the newest copy of the folder"
    }
    // If it cannot be written, the folder has a problem that is reported.
    if newest > known {
      let text = JSONWriter.compact(.object(("timestamp", .int(newest))))
      _ = try? AtomicFile.write(Array(text.utf8), to: path)
    }
    return nil
  }
}
