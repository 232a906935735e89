internal import StreamCore

/// Where a command puts a file that it makes.
enum ResultFile {
  /// Writes the bytes to the file, or on standard output where none is named or `-` is.
  static func write(_ bytes: [UInt8], to path: String?, _ console: Console) throws(Diagnostics) {
    guard let path, path != StandardInput.argument else {
      console.output.bytes += bytes
      return
    }
    do throws(Diagnostic) {
      try AtomicFile.write(bytes, to: path)
    } catch {
      throw Diagnostics([error])
    }
  }
}
