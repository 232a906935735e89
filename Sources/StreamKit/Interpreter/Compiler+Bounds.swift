internal import CEL
internal import StreamCore

/// The bounds of compiling: see "Compiling" in Limits.md.
extension Compiler {
  /// Number of operators between two calls of `CompileOptions.check`.
  private static let slice = 64
  /// Most names of a chain of references that a message shows.
  private static let shownNames = 8

  /// Whether to go on. Calls the host's check now and then.
  func mayContinue(in scope: Scope, at pointer: JSONPointer) -> Bool {
    guard !isStopped else { return false }
    partCount += 1
    if partCount % Self.slice == 1, var problem = options.check?() {
      problem.pointer = pointer
      stop(problem, in: scope)
    }
    return !isStopped
  }

  /// Reports why the rest is not compiled.
  func stop(_ problem: Diagnostic, in scope: Scope) {
    report(problem, in: scope)
    isStopped = true
  }

  /// Counts a use of a definition or a file, which is compiled for it; false if the references of the file have become
  /// too long, which is reported.
  ///
  /// - Parameters:
  ///   - name: "the definition 'smooth'".
  ///   - part: The same part of a file has the same one.
  ///   - help: How to repeat less.
  func expand(
    _ name: String, _ part: String, in scope: Scope, at place: JSONPointer, help: String, _ content: () -> Value
  ) -> Bool {
    guard !isStopped else { return false }
    if expansion.use(part, content) { return true }
    let count = expansion.count(of: part)
    let problem = Diagnostic(
      .tooManySubscriptions, "\(tooLong): \(chain(to: name))", at: place,
      notes: ["\(name) is compiled for each of \(count) uses so far"], help: help)
    stop(options.expansion?.isExceeded == true ? tooManyTests : problem, in: scope)
    return false
  }

  /// Counts the type of an input that names declared types, as if it were written out; false if the types have become too
  /// long, which is reported.
  func expand(_ type: CELType, of input: InputDeclaration, named name: String, in scope: Scope) -> Bool {
    guard !isStopped, let written = input.type?.json else { return true }
    let text = Value.string(type.description)
    let limit = expansion.limit
    let length = JSONWriter.length(of: text, upTo: limit)
    guard length > 2 * JSONWriter.length(of: written, upTo: limit) + 100, !expansion.use(text) else { return true }
    stop(
      Diagnostic(
        .tooManySubscriptions, "\(tooLong): the types that inputs name, up to the input '\(name)'",
        at: scope.pointer + JSONPointer(["inputs", name, "type"]), help: "declare inner parts of the types as \"dyn\""),
      in: scope)
    return false
  }

  /// Counts the value of a parameter that appears at one more place, and returns the error if that is too long.
  func excess(of value: Value, ofParameter name: String) -> Diagnostic? {
    guard !isStopped, !expansion.use(value) else { return nil }
    isStopped = true
    if options.expansion?.isExceeded == true { return tooManyTests }
    return Diagnostic(
      .tooManySubscriptions, "\(tooLong): the value of the parameter '\(name)' is repeated at each use",
      help: "use it in expressions, by its name, or at fewer places")
  }

  /// The error of tests that compile too much together.
  var tooManyTests: Diagnostic {
    Diagnostic(
      .tooManySubscriptions,
      "the tests compile the file again and again: more than \(ExpansionBudget.ofTests / 1_000_000) MB of text",
      help: "give fewer tests values of parameters, and inputs instead of streams")
  }

  private var tooLong: String {
    "with its references written out, the file is longer than \(expansion.limit / 1_000_000) MB"
  }

  /// Returns the references that lead to a name, outermost first: "the definition 'a' → the definition 'b'".
  private func chain(to name: String) -> String {
    var names = openReferences + [name]
    let left = names.count - Self.shownNames
    if left > 1 {
      let half = Self.shownNames / 2
      names.replaceSubrange(half..<half + left, with: ["(\(left) more)"])
    }
    return names.joined(separator: " → ")
  }
}
