internal import StreamConsole
internal import StreamCore
internal import StreamDriving
internal import StreamFiles

/// The differences between two versions of a stream, as `streamrun diff` prints them.
struct VersionComparison {
  private let old: String
  private let new: String
  /// The published values of the parameters of both versions.
  private let values: (old: [String: Value], new: [String: Value])
  private let console: Console
  private let usesColors: Bool

  /// - Parameters:
  ///   - old: The name of the old version among the texts.
  ///   - new: The name of the new version.
  ///   - texts: The texts of both.
  ///   - oldValues: The published values of the old version's parameters.
  ///   - newValues: Those of the new version's.
  init(
    _ old: String, _ new: String, _ texts: NamedTexts, _ oldValues: [String: Value], _ newValues: [String: Value],
    color: ColorChoice
  ) {
    (self.old, self.new, values) = (old, new, (oldValues, newValues))
    console = Console(color: color, access: FileAccess(isAllowed: false), texts: texts)
    usesColors = color.applies(to: .standardOutput)
  }

  /// Prints the differences between the files.
  ///
  /// - Returns: Whether there are any.
  @discardableResult
  func print(_ format: DiffFormat, on shown: Console) throws -> Bool {
    let areDifferent = try print(on: shown) { () throws(Diagnostics) in
      try FileComparison(format: format, isQuiet: false, usesColors: usesColors, console).compare(old, new)
    }
    let lines = PublicationText.differences(values.old, values.new)
    if format == .text { for line in lines { shown.output.appendLine(line) } }
    return areDifferent || !lines.isEmpty
  }

  /// Prints the differences between the outputs.
  ///
  /// - Returns: Whether there are any.
  @discardableResult
  func print(_ format: DiffFormat, behavior: BehaviorOptions, on shown: Console) throws -> Bool {
    guard behavior.behavior else { return try print(format, on: shown) }
    return try print(on: shown) { () throws(Diagnostics) in
      let comparison = FileComparison(format: format, isQuiet: false, usesColors: usesColors, console)
      let arguments = (CompileArguments(published: values.old), CompileArguments(published: values.new))
      return try BehaviorRun(behavior, comparison, arguments.0, arguments.1).compare(old, new)
    }
  }

  private func print(on shown: Console, _ compare: () throws(Diagnostics) -> Int32) throws -> Bool {
    do throws(Diagnostics) {
      let code = try compare()
      shown.output.append(raw: taken())
      return code != ExitCode.good
    } catch {
      // This console knows the texts.
      shown.output.append(raw: taken())
      console.report(error)
      throw Diagnostics()
    }
  }

  private func taken() -> String {
    defer { console.output.bytes = [] }
    return String(decoding: console.output.bytes, as: UTF8.self)
  }
}
