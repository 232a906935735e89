internal import CEL
package import StreamCore
package import StreamDriving
package import StreamEditing
internal import StreamFiles
package import StreamKit

/// Compares stream files and prints the differences.
package struct FileComparison {
  package let format: DiffFormat
  package let isQuiet: Bool
  package let console: Console
  package let printer: DiffPrinter

  package init(format: DiffFormat, isQuiet: Bool, usesColors: Bool, _ console: Console) {
    self.format = format
    self.isQuiet = isQuiet
    self.console = console
    printer = DiffPrinter(usesColors: usesColors)
  }

  /// The exit code of a comparison with differences.
  package static let different: Int32 = ExitCode.failed

  /// Two versions of a file that have been read.
  package struct Versions {
    package let old: StreamFile
    package let new: StreamFile
    package let diff: StreamDiff
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
  package func read(_ old: String, _ new: String, belongingAt places: (String, String)? = nil) throws(Diagnostics)
    -> Versions
  {
    let loaders = (console.makeLoader(), console.makeLoader())
    let first = try loaders.0.load(old, belongingAt: places?.0)
    let second = try loaders.1.load(new, belongingAt: places?.1)
    let diff = StreamDiff(
      from: first, to: second, outputTypes: (Self.outputType(first, loaders.0), Self.outputType(second, loaders.1)))
    return Versions(old: first, new: second, diff: diff)
  }

  /// Returns the type of a file's values; nil if it is unknown, for example because a referenced file is missing.
  private static func outputType(_ stream: StreamFile, _ loader: FileLoader) -> CELType? {
    try? stream.outputType(loader.options())
  }

  package func print(_ versions: Versions, names: (String, String)) throws(Diagnostics) {
    switch format {
    case .text:
      guard !versions.diff.isEmpty else { return }
      for line in printer.lines(versions.diff, old: versions.old, new: versions.new, names: names) {
        console.output.append(raw: line + "\n")
      }
    case .json: console.output.appendJSON(versions.diff.value)
    case .patch: console.output.appendJSON(versions.diff.patch.value)
    case .mergePatch:
      do throws(Diagnostics) {
        console.output.appendJSON(try versions.diff.mergePatch().value)
      } catch {
        throw versions.new.document.locate(error)
      }
    }
  }

  // MARK: Directories

  /// Compares pairs of files, and reports files that exist on one side only.
  package func compare(_ pairs: [FilePair]) -> Int32 {
    var code = ExitCode.good
    var results: [Value] = []
    for pair in pairs {
      if Interruption.hasHappened { return ExitCode.interrupted }
      guard let old = pair.old, let new = pair.new else {
        code = max(code, Self.different)
        let change = pair.old == nil ? "added" : "removed"
        results.append(["file": .string(pair.name), "change": .string(change)])
        if format == .text, !isQuiet {
          console.output.appendLine("\(change)  file \(pair.name)")
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
    if format == .json, !isQuiet { console.output.appendJSON(.list(results)) }
    return code
  }
}
