internal import StreamCore

/// Writes the file that a command makes.
enum ResultFile {
  /// Writes the bytes to the file, or on standard output where none is named or `-` is.
  ///
  /// - Parameters:
  ///   - lock: the lock of the file that the bytes replace; held until it is replaced.
  ///   - stamp: the stamp of the file when it was read. Default: its stamp when it was locked.
  static func write(
    _ bytes: [UInt8], to path: String?, _ console: Console, holding lock: FileLock? = nil,
    replacing stamp: FileStamp? = nil
  ) throws(Diagnostics) {
    guard let path, path != StandardInput.argument else {
      console.output.bytes += bytes
      return
    }
    do throws(Diagnostic) {
      let warning = try withExtendedLifetime(lock) { () throws(Diagnostic) in
        try AtomicFile.write(bytes, to: path, replacing: stamp ?? lock?.stamp)
      }
      if let warning { console.report(warning) }
    } catch {
      throw Diagnostics([error])
    }
  }
}
