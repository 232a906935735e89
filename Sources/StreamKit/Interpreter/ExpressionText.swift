package import CEL
package import StreamCore

/// An expression from the command line, as a text for diagnostics.
package struct ExpressionText {
  let text: String
  package let source: SourceText

  /// - Parameter file: The name of the text in diagnostics.
  package init(_ text: String, file: String) {
    self.text = text
    source = SourceText(file: file, text: text)
  }

  /// - Throws: The errors in the expression, with their locations.
  package func plan(
    over variables: [Variable], constants: [String: Value] = [:]
  ) throws(Diagnostics) -> Plan {
    var environment = ExpressionEnvironment(variables: variables, numbers: .mixed)
    environment.constants = constants
    do throws(Diagnostics) {
      return try CELExpression(text).plan(in: environment)
    } catch {
      throw Diagnostics(error.all.map(locate))
    }
  }

  /// The diagnostic with its place in the expression, and without a pointer.
  package func locate(_ diagnostic: Diagnostic) -> Diagnostic {
    var result = diagnostic
    result.pointer = JSONPointer()
    let whole = 0..<text.utf8.count
    let range = if case .text(let range) = diagnostic.part { range } else { whole }
    result.location = source.location(of: range.clamped(to: whole))
    return result
  }
}
