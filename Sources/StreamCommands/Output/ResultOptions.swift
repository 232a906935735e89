internal import ArgumentParser
internal import StreamCore

/// Where a command puts the file that it makes.
struct ResultOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: ArgumentHelp("Writes the file there.", valueName: "path"))
  var output: String?

  @Flag(name: .shortAndLong, help: "Writes the file in the place of the one that it was made of.")
  var inPlace = false

  func validate() throws {
    if output != nil, inPlace { throw ValidationError("--output and --in-place exclude each other") }
  }

  /// Refuses to write standard input in its place.
  ///
  /// - Parameter original: the file that the other is made of.
  func validate(original: String) throws {
    if inPlace, original == StandardInput.argument {
      throw ValidationError("standard input cannot be written in place; name a file with --output")
    }
  }

  /// Locks the file that another is made of, if that one takes its place. To be called before the file is read.
  func lock(_ original: String) throws(Diagnostics) -> FileLock? {
    inPlace || output != nil ? try FileLock.take(editing: original, into: output) : nil
  }

  /// Writes the text where it belongs: on standard output if nothing else is said.
  ///
  /// - Parameters:
  ///   - original: the file that it was made of.
  ///   - lock: what `lock` gave for that file.
  func write(
    _ text: String, madeOf original: String, _ console: Console, holding lock: FileLock?
  ) throws(Diagnostics) {
    try ResultFile.write(Array(text.utf8), to: inPlace ? original : output, console, holding: lock)
  }
}
