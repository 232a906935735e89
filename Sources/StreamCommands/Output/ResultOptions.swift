internal import ArgumentParser
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// The options for the destination of a command's result.
struct ResultOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: ArgumentHelp("Writes the output to this file.", valueName: "path"))
  var output: String?

  @Flag(name: .shortAndLong, help: "Replaces the input file with the output.")
  var inPlace = false

  /// The help for an output that is the input.
  static let inPlaceHelp = "--in-place replaces the input file"

  func validate() throws {
    if output != nil, inPlace { throw ValidationError("--output and --in-place cannot be combined") }
  }

  /// Rejects --in-place for standard input.
  ///
  /// - Parameter original: The input file.
  func validate(original: String) throws {
    if inPlace, original == StandardInput.argument {
      throw ValidationError("standard input cannot be written in place; give a file with --output")
    }
  }

  /// Locks the original file if the result replaces it. Must be called before the file is read, but after all other
  /// inputs, which may be pipes, have been read.
  func lock(_ original: String, _ console: Console) throws(Diagnostics) -> FileLock? {
    inPlace ? try FileLock.take(editing: original, telling: console.say) : nil
  }

  /// Writes the bytes to the file given by the options. Default: standard output.
  ///
  /// - Parameters:
  ///   - original: The input file.
  ///   - lock: The lock of that file.
  func write(
    _ bytes: [UInt8], madeOf original: String, _ console: Console, holding lock: FileLock?
  ) throws(Diagnostics) {
    if inPlace { return try ResultFile.replace(original, with: bytes, console, holding: lock) }
    try ResultFile.write(bytes, to: output, console, help: Self.inPlaceHelp)
  }
}
