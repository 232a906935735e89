internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamEditing
internal import StreamFiles

extension FileComparison {
  /// Shows a file as git requests. A file that is not a stream file is shown by its lines, so that git can continue.
  func show(_ arguments: GitDiffArguments) {
    if let old = arguments.old, let new = arguments.new,
      let versions = try? read(old, new, belongingAt: (arguments.path, arguments.newPath))
    {
      if versions.diff.isEmpty {
        for line in printer.header(arguments.names) { console.output.append(raw: line + "\n") }
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
    console.output.appendLines(UnifiedDiff(old, new).text(old: arguments.names.0, new: arguments.names.1))
  }

  /// Returns the text of a file, an empty text if there is no file, and nil if it is not text or cannot be read.
  private static func text(of path: String?) -> String? {
    guard let path else { return "" }
    guard let bytes = try? FileContents.read(path, name: path, limit: JSONLimits().bytes) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
