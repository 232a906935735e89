internal import StreamCore

/// Where a command puts a file that it makes.
enum ResultFile {
  /// Writes the bytes to the file, or on standard output where none is named or `-` is.
  ///
  /// - Parameters:
  ///   - lock: held while the file is replaced; the bytes take its place.
  ///   - stamp: the file's when it was read, of which the bytes were made. Default: when it was locked.
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
