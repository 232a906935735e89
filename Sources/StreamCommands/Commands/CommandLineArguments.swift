internal import ArgumentParser
internal import StreamCore
internal import StreamKit

/// Rewrites arguments that begin with a minus sign but are not options, for the argument parser.
enum CommandLineArguments {
  /// Options without a value.
  ///
  /// NB: Only those that may precede or follow the expression of `eval`.
  private static let flags: Set<String> = ["--explain", "--help", "--version"]

  /// Returns the arguments with negative numbers joined to the preceding options, and with the expression of `eval`
  /// moved after `--`.
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

  /// Moves the argument of `eval` that is neither an option nor an option's value after `--`.
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

  /// Whether the argument looks like an option that is followed by its value.
  private static func takesValue(_ argument: String) -> Bool {
    argument.hasPrefix("--") && !argument.contains("=") && !flags.contains(argument)
  }

  private static func isNegativeNumber(_ text: String) -> Bool {
    guard text.hasPrefix("-"), let next = text.dropFirst().first else { return false }
    return (next.isNumber || next == ".") && Double(text) != nil
  }

  /// Refuses a second one-liner, which would replace the first one.
  static func checkOneLiner(_ arguments: [String]) throws(Diagnostics) {
    var count = 0
    var isValue = false
    for argument in arguments.prefix(while: { $0 != "--" }) {
      let isOption = !isValue && (argument == ShortForm.file || argument.hasPrefix(ShortForm.file + "="))
      if isOption { count += 1 }
      isValue = isOption && argument == ShortForm.file
    }
    guard count > 1 else { return }
    throw Diagnostics(
      .invalidArgument, "-e is given \(count) times; a command has a single one-liner",
      help: "join the operators with '|': -e 'filter(value > 1) | map(value * 10)'")
  }

  /// Returns the argument of `help` that is not a subcommand; nil if there is none. The argument parser would show the
  /// help of the root command.
  static func unknownHelp(_ arguments: [String]) -> String? {
    guard arguments.first == "help", let name = arguments.dropFirst().first(where: { !$0.hasPrefix("-") }),
      !Streamrun.subcommandNames.contains(name)
    else { return nil }
    return name
  }
}
