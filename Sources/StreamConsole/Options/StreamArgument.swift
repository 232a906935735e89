package import ArgumentParser
internal import StreamFiles
internal import StreamKit

/// The streams of a command that compares some of them: the paths of files, and a one-liner.
package struct StreamArguments: ParsableArguments {
  @Argument(help: "The stream files; - is standard input.", completion: .file(extensions: ["json"]))
  var paths: [String] = []

  @Option(
    name: .customShort("e"),
    help: ArgumentHelp(
      "Adds a stream in its short form, such as 'filter(value > 1) | count()', to the files.", valueName: "one-liner"),
    completion: .custom(OneLinerCompletion.candidates))
  package var oneLiner: String?

  package init() {}

  package func validate() throws {
    if paths.isEmpty, oneLiner == nil { throw ValidationError("Missing expected argument '<files> ...'") }
  }

  /// The files in the words of a loader: their paths, and the name of the one-liner.
  package var files: [String] { paths + (oneLiner == nil ? [] : [ShortForm.file]) }
}

/// The stream of a command: the path of a file, or a one-liner.
package struct StreamArgument: ParsableArguments {
  @Argument(help: "The stream file; - is standard input.", completion: .file(extensions: ["json"]))
  package var path: String?

  @Option(
    name: .customShort("e"),
    help: ArgumentHelp(
      "Takes a stream in its short form instead of a file, such as 'filter(value > 1) | count()'.",
      valueName: "one-liner"),
    completion: .custom(OneLinerCompletion.candidates))
  package var oneLiner: String?

  package init() {}

  package func validate() throws {
    guard let path else {
      if oneLiner == nil { throw ValidationError("Missing expected argument '<file>'") }
      return
    }
    if oneLiner != nil {
      throw ValidationError(Self.message(about: path))
    }
  }

  /// The message about a path beside a one-liner: a file of data, as other tools take it, or a part of the one-liner.
  package static func message(about path: String) -> String {
    let message = "-e and the file '\(path)' cannot be combined"
    let format = FileFormat(ofFile: path)
    guard format != nil || Directory.hasRegularFile(at: path), format != .json else {
      return message + "; a one-liner is one argument, enclosed in single quotes"
    }
    return message + "; write --input \(path) for data, and a pattern of files in quotes: --input '*.csv'"
  }

  /// The file in the words of a loader: its path, or the name of the one-liner.
  package var file: String { path ?? ShortForm.file }
}
