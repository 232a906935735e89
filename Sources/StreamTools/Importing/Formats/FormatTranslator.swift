package import StreamCore

/// Writes the format strings of NSPredicate and NSExpression as CEL: `%d != 3` becomes `int(value) != 3`.
package enum FormatTranslator {
  /// The meaning of the format string.
  package enum Purpose: Sendable {
    /// NSPredicate: true or false.
    case predicate
    /// NSExpression: a number.
    case expression
  }

  /// The playground's argument for a `%` specifier.
  package struct Argument: Hashable, Sendable {
    /// The variable of CEL.
    package var name: String
    /// Whether the variable is a string that holds a number, instead of a number.
    package var isText: Bool

    package init(name: String, isText: Bool) {
      self.name = name
      self.isText = isText
    }

    /// The current value, a string like every value of the playground.
    package static let value = Argument(name: "value", isText: true)
    /// The accumulator of scan, a number.
    package static let accumulator = Argument(name: "acc", isText: false)
  }

  /// Longer format strings are refused, so that no stack is exhausted; the playground's have fewer than ten words.
  private static let tokenLimit = 1_000

  /// A format string in CEL.
  package struct Translation: Hashable, Sendable {
    package var expression: String
    /// Assumptions. Their pointers are empty, their parts are ranges of the format string.
    package var notes: [Diagnostic]
    /// Whether a number with a fraction can come out of it.
    package var usesFractions: Bool
  }

  /// Translates; throws all that is broken or refused, with its range in the format string.
  ///
  /// Arguments are taken in turn, beginning with the first; a `%` too many takes the last again, with a warning.
  /// `arguments` is never empty.
  package static func translate(
    _ format: String, as purpose: Purpose, arguments: [Argument] = [.value]
  ) throws(Diagnostics) -> Translation {
    let tokens: [FormatToken]
    do throws(Diagnostic) {
      var tokenizer = FormatTokenizer(format)
      tokens = try tokenizer.tokens()
      guard tokens.count <= tokenLimit else {
        throw Diagnostic(
          .expressionTooLarge, "the format string has \(tokens.count) words; at most \(tokenLimit) can be imported")
      }
    } catch {
      throw Diagnostics([error])
    }
    var parser = FormatParser(tokens, argumentCount: arguments.count)
    let root: FormatNode.Located
    do throws(Diagnostic) {
      root = try parser.parse()
    } catch {
      throw Diagnostics(parser.diagnostics.all + [error])
    }
    var printer = FormatPrinter(arguments: arguments)
    let fragment = purpose == .predicate ? printer.condition(root) : printer.number(root)
    let diagnostics = Diagnostics(parser.diagnostics.all + printer.diagnostics.all)
    try diagnostics.throwErrors()
    return Translation(expression: fragment.text, notes: diagnostics.all, usesFractions: printer.usesFractions)
  }
}
