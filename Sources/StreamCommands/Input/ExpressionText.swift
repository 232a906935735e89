internal import CEL
internal import StreamCore

/// An expression from the command line, as a text for diagnostics.
struct ExpressionText {
  let text: String
  let source: SourceText

  /// - Parameter file: The name of the text in diagnostics.
  init(_ text: String, file: String) {
    self.text = text
    source = SourceText(file: file, text: text)
  }

  /// - Throws: The errors in the expression, with their locations.
  func plan(over variables: [Variable]) throws(Diagnostics) -> Plan {
    do throws(Diagnostics) {
      return try CELExpression(text).plan(in: Environment(variables: variables, numbers: .mixed))
    } catch {
      throw Diagnostics(error.all.map(locate))
    }
  }

  /// The diagnostic with its place in the expression, and without a pointer.
  func locate(_ diagnostic: Diagnostic) -> Diagnostic {
    var result = diagnostic
    result.pointer = JSONPointer()
    let whole = 0..<text.utf8.count
    let range = if case .text(let range) = diagnostic.part { range } else { whole }
    result.location = source.location(of: range.clamped(to: whole))
    return result
  }
}
