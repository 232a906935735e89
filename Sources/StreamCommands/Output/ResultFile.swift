internal import StreamCore
internal import StreamDriving

/// Writes the file that a command makes.
enum ResultFile {
  /// Writes the bytes to a file, or to standard output if the path is nil or `-`.
  ///
  /// - Parameters:
  ///   - lock: The lock of the file to replace, held until it is replaced.
  ///   - stamp: The stamp of the file when it was read. Default: its stamp when it was locked.
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
