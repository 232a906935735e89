internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// Writes the file that a command makes.
enum ResultFile {
  /// Writes the bytes to a file, or to standard output if the path is nil or `-`.
  ///
  /// - Parameter help: How the command replaces its input, if it can.
  /// - Throws: A diagnostic, also if the file is one that the command has read.
  static func write(
    _ bytes: [UInt8], to path: String?, _ console: Console, help: String? = nil
  ) throws(Diagnostics) {
    guard let path, path != StandardInput.argument else {
      console.output.bytes += bytes
      return
    }
    try Diagnostics.listing { () throws(Diagnostic) in try console.usedFiles.checkOutput(path, help: help) }
    try replace(path, with: bytes, console, holding: nil)
  }

  /// Writes the bytes to the given output; without one, replaces the input file, or writes to standard output if the
  /// input is standard input.
  ///
  /// - Parameter lock: The lock of the input file; nil if there is an output.
  static func write(
    _ bytes: [UInt8], to output: String?, orReplacing original: String, _ console: Console, holding lock: FileLock?
  ) throws(Diagnostics) {
    if output == nil, original != StandardInput.argument {
      return try replace(original, with: bytes, console, holding: lock)
    }
    try write(bytes, to: output, console, help: "without --output, the input file is replaced")
  }

  /// Replaces a file that the command has read.
  ///
  /// - Parameters:
  ///   - lock: The lock of the file, held until it is replaced.
  ///   - stamp: The stamp of the file when it was read. Default: its stamp when it was locked.
  static func replace(
    _ path: String, with bytes: [UInt8], _ console: Console, holding lock: FileLock?, since stamp: FileStamp? = nil
  ) throws(Diagnostics) {
    let warning = try Diagnostics.listing { () throws(Diagnostic) in
      try withExtendedLifetime(lock) { () throws(Diagnostic) in
        try AtomicFile.write(bytes, to: path, replacing: stamp ?? lock?.stamp)
      }
    }
    if let warning { console.report(warning) }
  }
}
