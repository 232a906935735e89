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
    if message.contains("-e and the file"),
      let place = arguments.firstIndex(where: { ["--arg", "--argjson"].contains($0) }),
      place + 2 < arguments.count
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

  /// Whether the command that an argument names has `--input`; a file and an option belong to `run`.
  private static func takesInput(_ first: String) -> Bool {
    ["run", "show", "bench", "diff"].contains(first) || first.hasPrefix("-") || first.contains(".")
  }

  private static func help(forOption option: String, _ value: String, _ message: String) -> String? {
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
