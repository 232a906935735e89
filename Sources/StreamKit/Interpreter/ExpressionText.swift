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

  /// Returns the environment of an expression that no file contains.
  ///
  /// - Parameter seed: The seed of `random()`; nil if it is not available. Its numbers differ by the variable `index`.
  package static func environment(
    over variables: [Variable], constants: [String: Value] = [:], seed: Int? = nil
  ) -> ExpressionEnvironment {
    var environment = ExpressionEnvironment(variables: variables, numbers: .mixed)
    environment.unwrapsOptionals = true
    environment.constants = constants
    if let seed {
      environment.random = .place(
        key: { RandomSource.key(seed: Int64(seed), place: "") },
        slots: variables.firstIndex { $0.name == "index" }.map { [$0] } ?? [])
    }
    return environment
  }

  /// - Throws: The errors in the expression, with their locations.
  package func plan(
    over variables: [Variable], constants: [String: Value] = [:], seed: Int? = nil
  ) throws(Diagnostics) -> Plan {
    let environment = Self.environment(over: variables, constants: constants, seed: seed)
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
