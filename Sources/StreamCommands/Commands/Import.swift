internal import ArgumentParser
internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles
internal import StreamKit
internal import StreamTools

/// `streamrun import FILE`: converts files of the Combine playground to stream files.
struct Import: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Converts files of the Combine playground, of any generation, to stream files.",
    discussion: """
      The stream files are printed in sequence, or written with -o. Assumptions are reported on standard error.

      Examples:
        streamrun import streams.json
        streamrun import stream.json -o Streams/stream.json
        streamrun import userdefaults.json -o Streams
      """)

  @Argument(help: "The playground's file; - is standard input.", completion: .file(extensions: ["json"]))
  var file: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The output file, or a directory for one file per stream.", valueName: "path"))
  var output: String?

  @OptionGroup var appearance: AppearanceOptions

  func perform(_ console: Console) throws(Diagnostics) -> Int32 {
    let loader = console.makeLoader()
    let document = try loader.document(file)
    let streams = try document.locating { value throws(Diagnostics) in try PlaygroundImporter().read(value) }
    try check(streams)
    for stream in streams { console.report(document.locate(Diagnostics(stream.notes))) }
    let targets = try targets(of: streams)
    for (stream, target) in zip(streams, targets) {
      let text = JSONWriter.pretty(stream.model) + "\n"
      try ResultFile.write(Array(text.utf8), to: target, console)
    }
    return ExitCode.good
  }

  /// Checks that the converted streams are valid stream files.
  private func check(_ streams: [ImportedStream]) throws(Diagnostics) {
    for stream in streams {
      do throws(Diagnostics) {
        _ = try StreamModel(json: stream.model)
      } catch {
        throw Diagnostics(
          error.all.map { diagnostic in
            var copy = diagnostic
            copy.message = "\(stream.name.map { "'\($0)'" } ?? "the stream") cannot be imported: \(diagnostic.message)"
            return copy
          })
      }
    }
  }

  /// Returns the output path of each stream; nil means standard output.
  private func targets(of streams: [ImportedStream]) throws(Diagnostics) -> [String?] {
    guard let output else { return streams.map { _ in nil } }
    guard Directory.isDirectory(output) else {
      guard streams.count == 1 else {
        throw Diagnostics(
          .invalidArgument, "there are \(streams.count) streams, but '\(output)' is not a directory",
          help: "create the directory, then pass it with -o")
      }
      return [output]
    }
    var taken: Set<String> = []
    return streams.map { stream in
      let slug = Self.slug(stream.name ?? "stream")
      var name = slug
      var number = 2
      while !taken.insert(name).inserted {
        name = "\(slug)-\(number)"
        number += 1
      }
      return Path.join(output, "\(name).json")
    }
  }

  /// A name as a file's name: small letters and digits, everything else a hyphen.
  private static func slug(_ name: String) -> String {
    var slug = ""
    for letter in name.lowercased() {
      if letter.isLetter || letter.isNumber {
        slug.append(letter)
      } else if !slug.isEmpty, slug.last != "-" {
        slug.append("-")
      }
    }
    while slug.last == "-" { slug.removeLast() }
    return slug.isEmpty ? "stream" : String(slug.prefix(80))
  }
}
