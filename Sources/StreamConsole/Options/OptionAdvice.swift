package import ArgumentParser
internal import StreamCore
internal import StreamDriving
internal import StreamKit

/// Help for options that are written as other tools read them.
package enum OptionAdvice {
  /// Returns help for an option that was refused; nil if nothing is known of it.
  package static func help(for arguments: [String], _ message: String) -> String? {
    if message.contains("nexpected argument"), takesInput(arguments.first ?? ""),
      let data = arguments.last(where: { FileFormat(ofFile: $0) != nil && message.contains("'\($0)'") })
    {
      return "write --input \(data) for data, and a pattern of files in quotes: --input '*.csv'"
    }
    if let place = arguments.firstIndex(where: { ["--arg", "--argjson"].contains($0) }), place + 2 < arguments.count,
      message.contains("-e and the file") || message.contains("'\(arguments[place])'")
    {
      return "write --set \(arguments[place + 1])=\(arguments[place + 2])"
    }
    for (place, argument) in arguments.enumerated() where argument.hasPrefix("-") {
      let parts = argument.split(separator: "=", maxSplits: 1)
      guard message.contains("'\(parts[0])") else { continue }
      let value = parts.count == 2 ? String(parts[1]) : place + 1 < arguments.count ? arguments[place + 1] : ""
      if argument == "-e", arguments.first == "test" {
        return "a one-liner has no tests; --print-model prints its stream file, to which tests can be added"
      }
      if let help = help(forOption: parts.first.map(String.init) ?? "", value, message) { return help }
    }
    return nil
  }

  /// Returns the text of a refusal that names an option which does not exist, if there is one: the argument parser takes
  /// its value for an argument, and reports only what is wrong with that.
  ///
  /// - Parameter text: The text of the argument parser.
  package static func namingUnknownOption<Root: ParsableCommand>(
    in arguments: [String], of root: Root.Type, _ text: String
  ) -> String {
    let commands = root.configuration.subcommands
    let command =
      commands.first { $0.configuration.commandName == arguments.first } ?? root.configuration.defaultSubcommand ?? root
    let help = root.helpMessage(for: command, includeHidden: true)
    let known = Set(
      help.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.filter { $0.hasPrefix("-") }.map(String.init))
    guard !text.hasPrefix("Error: Unknown option"), let unknown = unknownOption(in: arguments, known) else {
      return text
    }
    let name = unknown.hasPrefix("--") ? unknown : "-" + unknown
    let near = nearestName(to: name, among: known.filter { $0.hasPrefix("--") }.sorted())
    let rest = text.split(separator: "\n", omittingEmptySubsequences: false).drop { !$0.hasPrefix("Usage:") }
    return (["Error: Unknown option '\(unknown)'\(near.map { ". Did you mean '\($0)'?" } ?? "")"] + rest)
      .joined(separator: "\n")
  }

  /// Returns the first option that is not known; a word after a single minus is one if it is the name of an option.
  private static func unknownOption(in arguments: [String], _ known: Set<String>) -> String? {
    for (place, argument) in arguments.prefix(while: { $0 != "--" }).enumerated() {
      guard place == 0 || arguments[place - 1] != "-e", argument.hasPrefix("-") else { continue }
      let name = String(argument.prefix { $0 != "=" })
      let isUnknown =
        name.hasPrefix("--")
        ? !known.contains(name) : name.utf8.count > 2 && !name.hasPrefix("-e") && known.contains("-" + name)
      if isUnknown { return name }
    }
    return nil
  }

  /// Whether the command that an argument names has `--input`; a file and an option belong to `run`.
  private static func takesInput(_ first: String) -> Bool {
    ["run", "show", "bench", "diff"].contains(first) || first.hasPrefix("-") || first.contains(".")
  }

  private static func help(forOption option: String, _ value: String, _ message: String) -> String? {
    if message.contains("'\(option) <seconds>'"), let seconds = LengthOfTime.seconds(of: value) {
      return "write \(option) \(JSONWriter.compact(.seconds(seconds))), in seconds"
    }
    switch option {
    case "--call" where !value.contains("="): return "write --call \(value)='COMMAND', or --call \(value)=https://…"
    case "--set" where !value.contains("="): return "write --set \(value)=VALUE, with a JSON value"
    case "--for", "--every", "--wait", "--timeout", "--metrics-every", "--interval":
      return LengthOfTime.seconds(of: value).map { "write \(option) \(JSONWriter.compact(.seconds($0))), in seconds" }
    case "--limit", "--budget", "--values", "--rounds", "--width", "--jobs":
      return (scaled(value, 1000) ?? Double(value).flatMap(Int.init(exactly:))).map { "write \(option) \($0)" }
    case "--memory", "--max-value": return size(value).map { "write \(option) \($0)" }
    case "--arg", "--argjson", "--var", "--param", "--define", "-v", "-D":
      return "write --set \(value.contains("=") ? value : "\(value.isEmpty ? "NAME" : value)=VALUE")"
    case "-o", "--out": return "write --output \(value)"
    case "--rotate": return "write a size with its unit, such as 100MB, or a time, such as 1h, 30m or 1d"
    case "--first", "--head", "--take", "--max", "--count", "-n": return "write --limit \(Int(value) ?? 1)"
    case "--pretty", "--indent": return "pipe the results through 'jq .'"
    case "--format" where ["table", "pretty", "yaml"].contains(value): return "write --format json"
    case "--format" where message.contains("ndjson"):
      let formats = ValueFormat.allCases.map(\.rawValue)
      return FieldAdvice.choice(for: value, among: formats).map { "write --format \($0)" }
    default: return nil
    }
  }

  /// Returns the size that was probably meant by `1k`, `1GiB` or `1 GB`; nil for other texts.
  private static func size(_ text: String) -> String? {
    let digits = text.prefix { $0.isNumber || $0 == "." }
    let unit = text.dropFirst(digits.count).filter { $0 != " " }.uppercased()
    let names = ["K": "kB", "M": "MB", "G": "GB"]
    guard !digits.isEmpty, ["", "B", "IB"].contains(unit.dropFirst()) else { return nil }
    return names[String(unit.prefix(1))].map { digits + $0 }
  }

  /// Returns the number of a text such as `1k` or `2M`; nil for other texts.
  private static func scaled(_ text: String, _ base: Int) -> Int? {
    guard let power = ["k": 1, "m": 2, "g": 3][text.suffix(1).lowercased()], let number = Int(text.dropLast()) else {
      return nil
    }
    let (result, overflow) = (0..<power).reduce((number, false)) { total, _ in
      let (product, over) = total.0.multipliedReportingOverflow(by: base)
      return (product, total.1 || over)
    }
    return overflow ? nil : result
  }
}
