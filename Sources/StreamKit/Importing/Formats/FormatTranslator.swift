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
    do {
      var tokenizer = FormatTokenizer(format)
      var parser = FormatParser(try tokenizer.tokens(), argumentCount: arguments.count)
      let root = try parser.parse()
      var printer = FormatPrinter(arguments: arguments)
      let fragment = purpose == .predicate ? printer.condition(root) : printer.number(root)
      var diagnostics = parser.diagnostics
      diagnostics.append(contentsOf: printer.diagnostics)
      try diagnostics.throwErrors()
      return Translation(
        expression: fragment.text, notes: diagnostics.all, usesFractions: printer.usesFractions)
    } catch let diagnostic as Diagnostic {
      throw Diagnostics([diagnostic])
    } catch let diagnostics as Diagnostics {
      throw diagnostics
    } catch {
      throw Diagnostics([Diagnostic(.expressionSyntax, "the format string cannot be read")])
    }
  }
}
