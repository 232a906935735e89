internal import CLibrary
package import StreamCore

/// Reads whole files.
package enum FileContents {
  /// The bytes of a file, which diagnostics call `name`.
  ///
  /// - Parameter used: The files that the command reads and writes, to which this one is added.
  /// - Throws: a `Diagnostic` without a location: not found, a directory, not permitted, too large, an output.
  package static func read(
    _ path: String, name: String, limit: Int, noting used: UsedFiles? = nil
  ) throws(Diagnostic) -> [UInt8] {
    let file: FileDescriptor
    do throws(SystemError) {
      file = try FileDescriptor.open(path)
    } catch {
      throw error.diagnostic(reading: name)
    }
    return try read(file, name: name, limit: limit, noting: used)
  }

  /// The bytes of an open file, which is closed.
  static func read(
    _ file: FileDescriptor, name: String, limit: Int, noting used: UsedFiles?
  ) throws(Diagnostic) -> [UInt8] {
    defer { file.close() }
    try used?.noteInput(file, name: name)
    do throws(SystemError) {
      let status = try file.status()
      if status.kind == .directory { throw SystemError.isDirectory }
      if let bytes = try read(file, expecting: status.kind == .regular ? status.size : 0, limit: limit) { return bytes }
    } catch {
      throw error.diagnostic(reading: name)
    }
    throw tooLarge(name, limit)
  }

  /// All that comes on standard input.
  package static func readStandardInput(limit: Int, noting used: UsedFiles) throws(Diagnostic) -> [UInt8] {
    try used.noteInput(.standardInput, name: StandardInput.name)
    do throws(SystemError) {
      if let bytes = try read(.standardInput, expecting: 0, limit: limit) { return bytes }
    } catch {
      throw error.diagnostic(reading: StandardInput.name)
    }
    throw tooLarge(StandardInput.name, limit)
  }

  /// The bytes, or nil if there are more than the limit.
  private static func read(_ file: FileDescriptor, expecting size: Int, limit: Int) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(size, limit) + 1)
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)
    defer { chunk.deallocate() }
    while true {
      let count = try file.readWaiting(into: chunk)
      if count == 0 { return bytes }
      if bytes.count + count > limit { return nil }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  private static func tooLarge(_ path: String, _ limit: Int) -> Diagnostic {
    Diagnostic(.tooLarge, "the file '\(path)' is larger than \(limit / 1_048_576) MiB, which is the limit")
  }
}

/// Standard input as a file.
package enum StandardInput {
  /// The argument for standard input.
  package static let argument = "-"
  /// The name of standard input in diagnostics.
  package static let name = "<stdin>"
}
