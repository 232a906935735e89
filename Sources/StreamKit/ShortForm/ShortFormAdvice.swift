internal import StreamCore

/// Help for one-liners that are written as in jq, Miller or RxJS, or that a shell has changed.
enum ShortFormAdvice {
  static let quoting = "enclose the one-liner in single quotes: streamrun -e 'filter(value > 1)'"

  /// Returns help for the name of an operator that does not exist.
  ///
  /// - Parameter argument: The first byte of its argument.
  static func help(forOperator name: String, argument: UInt8) -> String? {
    // jq's 'select' keeps values, that of SQL and LINQ changes them.
    if name == "select", argument == UInt8(ascii: ".") {
      return "did you mean 'filter'? The member of a value is value.name, not .name"
    }
    return commands[name] ?? Operator.help(forUnknown: name)
  }

  /// Returns help for text that cannot be read, at or directly before an offset; nil if it resembles nothing known.
  static func help(in bytes: [UInt8], _ offset: Int) -> String? {
    guard offset < bytes.count else {
      let last = bytes.last { $0 > 0x20 }
      return last == UInt8(ascii: "|") ? "remove the last '|', or write an operator after it" : nil
    }
    switch bytes[offset] {
    case UInt8(ascii: "|"):
      return "one '|' separates operators; '||' is 'or' in an expression"
    case UInt8(ascii: "."):
      let isAfterStep = bytes[..<offset].last { $0 > 0x20 } == UInt8(ascii: ")")
      return isAfterStep
        ? "operators are separated by '|', not by '.'"
        : "the member of a value is value.name, not .name: map(value.name)"
    case UInt8(ascii: ")"): return "remove ')', or add '(' before it"
    case UInt8(ascii: "{"): return "write arguments in parentheses: map({\"name\": value.name})"
    case UInt8(ascii: ";"): return "operators are separated by '|'"
    case UInt8(ascii: "#"): return "a comment begins with '//'"
    case UInt8(ascii: "$"), UInt8(ascii: "@"):
      return "the member of a value is value.name; \(quoting)"
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): return quoting
    case UInt8(ascii: ","): return "operators are separated by '|'"
    case let sign where sign.isLetterOrUnderscore:
      return "write arguments in parentheses, and '|' between operators"
    case UInt8(ascii: ">"), UInt8(ascii: "<"), UInt8(ascii: "="):
      return "write a condition in filter: filter(value > 1)"
    default: return nil
    }
  }

  /// Returns help for a quotation mark that is not closed, and for a sign that a shell may have replaced.
  static func help(forQuote bytes: [UInt8], _ offset: Int) -> String? {
    guard offset < bytes.count, [UInt8(ascii: "'"), UInt8(ascii: "\"")].contains(bytes[offset]) else { return nil }
    return quoting
  }

  /// The commands of Miller and jq that no operator is named after.
  private static let commands: [String: String] = [
    "select": "did you mean 'filter', as in jq, or 'map', as in SQL?",
    "cut": "write map({\"a\": value.a}) with the members to keep",
    "mlr": "write the operators alone: filter(value.a > 1) | map(value.b)",
    "jq": "write the operators alone: filter(value.a > 1) | map(value.b)",
    "empty": "write filter(false)", "length": "write map(size(value))", "keys": "write map(value.keys())",
    "pipe": "operators are separated by '|': filter(value > 1) | count()",
    "stats1": "write groupBy(value.key, (sum(value.number)))",
    "nest": "write flatMap((sequence(outer.list)))",
    "apply":
      "'apply' belongs to stream files; a one-liner reads a whole file as a source: stream(file: \"other.json\")",
  ]
}
