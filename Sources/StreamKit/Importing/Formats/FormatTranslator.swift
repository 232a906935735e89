package import StreamCore

/// Writes the format strings of NSPredicate and NSExpression as CEL: `%d != 3` becomes `int(value) != 3`.
package enum FormatTranslator {
  /// What the format string stands for.
  package enum Purpose: Sendable {
    /// NSPredicate: true or false.
    case predicate
    /// NSExpression: a number.
    case expression
  }

  /// What the playground put in the place of a `%`.
  package struct Argument: Hashable, Sendable {
    /// The variable of CEL.
    package var name: String
    /// Whether the variable is a text that holds a number, not a number.
    package var isText: Bool

    package init(name: String, isText: Bool) {
      self.name = name
      self.isText = isText
    }

    /// The value that travels, a text as everything in the playground is.
    package static let value = Argument(name: "value", isText: true)
    /// What scan has gathered, a number.
    package static let accumulator = Argument(name: "acc", isText: false)
  }

  /// Longer format strings are refused, so that no stack is exhausted; the playground's have fewer than ten words.
  private static let tokenLimit = 1_000

  /// A format string in CEL.
  package struct Translation: Hashable, Sendable {
    package var expression: String
    /// What was assumed. Pointers are empty, parts are ranges of the format string.
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
