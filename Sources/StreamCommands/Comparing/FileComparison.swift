internal import CEL
package import StreamCore
package import StreamDriving
internal import StreamEditing
internal import StreamFiles
internal import StreamKit

/// Compares stream files and prints the differences.
package struct FileComparison {
  let format: DiffFormat
  let isQuiet: Bool
  let console: Console
  private let printer: DiffPrinter

  package init(format: DiffFormat, isQuiet: Bool, usesColors: Bool, _ console: Console) {
    self.format = format
    self.isQuiet = isQuiet
    self.console = console
    printer = DiffPrinter(usesColors: usesColors)
  }

  /// The exit code of a comparison with differences.
  static let different: Int32 = ExitCode.failed

  /// Two versions of a file that have been read.
  struct Versions {
    let old: StreamFile
    let new: StreamFile
    let diff: StreamDiff
  }

  /// Compares two files.
  ///
  /// - Throws: The reason why they cannot be compared, or why the format cannot express the differences.
  package func compare(_ old: String, _ new: String, _ pair: FilePair? = nil) throws(Diagnostics) -> Int32 {
    let versions = try read(pair?.old ?? old, pair?.new ?? new)
    if !isQuiet { try print(versions, names: (versions.old.document.file, versions.new.document.file)) }
    return versions.diff.isEmpty ? ExitCode.good : Self.different
  }

  /// Reads two files and finds their differences.
  ///
  /// - Parameter places: The paths of both files, if temporary copies of them are read.
  func read(_ old: String, _ new: String, belongingAt places: (String, String)? = nil) throws(Diagnostics) -> Versions {
    let loaders = (console.makeLoader(), console.makeLoader())
    let first = try loaders.0.load(old, belongingAt: places?.0)
    let second = try loaders.1.load(new, belongingAt: places?.1)
    let diff = StreamDiff(
      from: first, to: second, outputTypes: (Self.outputType(first, loaders.0), Self.outputType(second, loaders.1)))
    return Versions(old: first, new: second, diff: diff)
  }

  /// Returns the type of a file's values; nil if it is unknown, for example because a referenced file is missing.
  private static func outputType(_ stream: StreamFile, _ loader: FileLoader) -> CELType? {
    try? stream.outputType(CompileOptions(loader: loader, files: loader, host: .any))
  }

  private func print(_ versions: Versions, names: (String, String)) throws(Diagnostics) {
    switch format {
    case .text:
      guard !versions.diff.isEmpty else { return }
      for line in printer.lines(versions.diff, old: versions.old, new: versions.new, names: names) {
        console.output.appendLine(line)
      }
    case .json: console.output.appendLine(JSONWriter.pretty(versions.diff.value))
    case .patch: console.output.appendLine(JSONWriter.pretty(versions.diff.patch.value))
    case .mergePatch:
      do throws(Diagnostics) {
        console.output.appendLine(JSONWriter.pretty(try versions.diff.mergePatch().value))
      } catch {
        throw versions.new.document.locate(error)
      }
    }
  }

  // MARK: Directories

  /// Compares pairs of files, and reports files that exist on one side only.
  func compare(_ pairs: [FilePair]) -> Int32 {
    var code = ExitCode.good
    var results: [Value] = []
    for pair in pairs {
      if Interruption.hasHappened { return ExitCode.interrupted }
      guard let old = pair.old, let new = pair.new else {
        code = max(code, Self.different)
        let change = pair.old == nil ? "added" : "removed"
        results.append(["file": .string(pair.name), "change": .string(change)])
        if format == .text, !isQuiet {
          console.output.appendLine("\(change)  file \(SourceExcerpt.visible(pair.name))")
        }
        continue
      }
      do throws(Diagnostics) {
        let versions = try read(old, new)
        if versions.diff.isEmpty { continue }
        code = max(code, Self.different)
        results.append(["file": .string(pair.name), "change": "changed", "diff": versions.diff.value])
        if format == .text, !isQuiet { try print(versions, names: (old, new)) }
      } catch {
        code = ExitCode.wrong
        console.report(error)
      }
    }
    if format == .json, !isQuiet { console.output.appendLine(JSONWriter.pretty(.list(results))) }
    return code
  }

  // MARK: Git

  /// Shows a file as git requests. A file that is not a stream file is shown by its lines, so that git can continue.
  func show(_ arguments: GitDiffArguments) {
    if let old = arguments.old, let new = arguments.new,
      let versions = try? read(old, new, belongingAt: (arguments.path, arguments.newPath))
    {
      if versions.diff.isEmpty {
        for line in printer.header(arguments.names) { console.output.appendLine(line) }
        console.output.appendLine("only the spelling differs: the streams are the same")
      } else {
        // Only a merge patch may be unable to express a change.
        do throws(Diagnostics) {
          try print(versions, names: arguments.names)
        } catch {
          console.report(error)
        }
      }
      return
    }
    guard let old = Self.text(of: arguments.old), let new = Self.text(of: arguments.new) else {
      return console.output.appendLine("Binary files \(arguments.names.0) and \(arguments.names.1) differ")
    }
    console.output.append(UnifiedDiff(old, new).text(old: arguments.names.0, new: arguments.names.1))
  }

  /// Returns the text of a file, an empty text if there is no file, and nil if it is not text or cannot be read.
  private static func text(of path: String?) -> String? {
    guard let path else { return "" }
    guard let bytes = try? FileContents.read(path, name: path, limit: JSONLimits().bytes) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
