internal import ArgumentParser
internal import StreamCore

/// The options that say where a command writes its result.
struct ResultOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: ArgumentHelp("Writes the output to this file.", valueName: "path"))
  var output: String?

  @Flag(name: .shortAndLong, help: "Replaces the input file with the output.")
  var inPlace = false

  func validate() throws {
    if output != nil, inPlace { throw ValidationError("--output and --in-place cannot be combined") }
  }

  /// Refuses --in-place for standard input.
  ///
  /// - Parameter original: the file that the result is made of.
  func validate(original: String) throws {
    if inPlace, original == StandardInput.argument {
      throw ValidationError("standard input cannot be written in place; give a file with --output")
    }
  }

  /// Locks the original file if the result replaces it. Must be called before the file is read, and behind everything
  /// else that the command reads, which may be pipes.
  func lock(_ original: String, _ console: Console) throws(Diagnostics) -> FileLock? {
    inPlace || output != nil ? try FileLock.take(editing: original, into: output, telling: console) : nil
  }

  /// Writes the bytes to the file that the options name. Default: standard output.
  ///
  /// - Parameters:
  ///   - original: the file that the result was made of.
  ///   - lock: the lock of that file.
  func write(
    _ bytes: [UInt8], madeOf original: String, _ console: Console, holding lock: FileLock?
  ) throws(Diagnostics) {
    try ResultFile.write(bytes, to: inPlace ? original : output, console, holding: lock)
  }
}
