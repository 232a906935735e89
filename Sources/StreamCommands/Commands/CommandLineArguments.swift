internal import ArgumentParser
internal import StreamCore

/// Arguments that begin with a minus sign and are no options, in the form in which the argument parser takes them.
enum CommandLineArguments {
  /// Options that take no value.
  ///
  /// NB: of those before which and behind which an expression of `eval` may stand.
  private static let flags: Set<String> = ["--explain", "--help", "--version"]

  /// The same arguments, with negative numbers joined to the options before them, and an expression that `eval` is given
  /// put behind `--`.
  static func unambiguous(_ arguments: [String]) -> [String] {
    var result: [String] = []
    for (place, argument) in arguments.enumerated() {
      if argument == "--" { return result + arguments[place...] }
      if isNegativeNumber(argument), let option = result.last, takesValue(option) {
        result[result.count - 1] = "\(option)=\(argument)"
      } else {
        result.append(argument)
      }
    }
    return result.first == Evaluate.configuration.commandName ? separatingExpression(result) : result
  }

  /// Puts what is neither an option of `eval` nor an option's value behind `--`.
  private static func separatingExpression(_ arguments: [String]) -> [String] {
    var options: [String] = []
    var expressions: [String] = []
    var isValue = false
    for argument in arguments {
      let isExpression = argument.hasPrefix("-") && !argument.hasPrefix("--") && argument != "-h"
      if isExpression, !isValue { expressions.append(argument) } else { options.append(argument) }
      isValue = takesValue(argument)
    }
    return expressions.isEmpty ? arguments : options + ["--"] + expressions
  }

  /// Whether the next argument is an option's value, as far as its looks tell.
  private static func takesValue(_ argument: String) -> Bool {
    argument.hasPrefix("--") && !argument.contains("=") && !flags.contains(argument)
  }

  private static func isNegativeNumber(_ text: String) -> Bool {
    guard text.hasPrefix("-"), let next = text.dropFirst().first else { return false }
    return (next.isNumber || next == ".") && Double(text) != nil
  }

  /// The subcommand that a first argument may have been meant to be; nil where none is like it.
  static func suggestion(for arguments: [String]) -> String? {
    guard let first = arguments.first, !first.hasPrefix("-"), !first.contains("."), !first.contains("/"),
      !Streamrun.subcommandNames.contains(first)
    else { return nil }
    return nearestName(to: first, among: Streamrun.subcommandNames)
  }
}
