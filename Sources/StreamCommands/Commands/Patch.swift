internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamEditing
internal import StreamFiles

/// `streamrun patch FILE PATCH`: applies a patch to a stream file.
struct Patch: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "patch",
    abstract: "Applies a patch to a stream file.",
    discussion: """
      An array is a JSON Patch (RFC 6902), an object a Merge Patch (RFC 7396). The patch is applied completely or not \
      at all, and the result must be a valid stream file. Everything the patch does not change stays byte for byte as \
      it is.

      Examples:
        streamrun patch mine.json change.json --in-place
        streamrun diff old.json new.json --format patch | streamrun patch mine.json - -o changed.json
        echo '{"name": "Quakes"}' | streamrun patch mine.json -
      """)

  @Argument(help: "The stream file; - is standard input.", completion: .file(extensions: ["json"]))
  var file: String

  @Argument(help: "The patch; - is standard input.", completion: .file(extensions: ["json"]))
  var patch: String

  @OptionGroup var result: ResultOptions
  @OptionGroup var reading: FileAccessOptions
  @OptionGroup var appearance: AppearanceOptions

  var access: FileAccess { reading.access(naming: []) }

  func validate() throws {
    try result.validate(original: file)
    if file == StandardInput.argument, patch == StandardInput.argument {
      throw ValidationError("the stream file and the patch cannot both be standard input")
    }
  }

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let loader = console.makeLoader()
    // NB: the patch may come through a pipe. No other edit waits until it has come.
    let patchDocument = try loader.document(patch)
    let lock = try result.lock(file, console)
    let document = try loader.document(file)
    let patched = try patchDocument.locating { patch throws(Diagnostics) in
      try DocumentPatch(patch).applied(to: document.value)
    }
    let text = try ChangedFile(document, path: file, loader, console).text(of: patched)
    try result.write(Array(text.utf8), madeOf: file, console, holding: lock)
    return ExitCode.good
  }
}
