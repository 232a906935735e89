public import CEL
internal import StreamCore

/// The operators, functions and hooks that a host adds to the built-in operators.
///
/// ```swift
/// let host = StreamHost(functions: .only(["server.has"]), operators: [Change.self])
/// let model = try StreamModel(checking: text, options: CompileOptions(host: host))
/// ```
///
/// A stream that uses an unknown name fails to compile.
public struct StreamHost: Sendable {
  /// A set of names that a host provides.
  public enum Names: Sendable {
    /// Every name, for a host that handles all names or only inspects the file.
    case any
    case only(Set<String>)

    func contains(_ name: String) -> Bool {
      switch self {
      case .any: true
      case .only(let names): names.contains(name)
      }
    }

    /// Whether the name is one of those that are known.
    func lists(_ name: String) -> Bool { if case .only(let names) = self { names.contains(name) } else { false } }

    /// Adds names to those that are known.
    mutating func formUnion(_ names: some Sequence<String>) {
      if case .only(let known) = self { self = .only(known.union(names)) }
    }

    var sorted: [String] { if case .only(let names) = self { names.sorted() } else { [] } }
  }

  /// The functions that `call` can use. Default none.
  public var functions: Names
  /// The hooks that `handleEvents` can use. Default none.
  public var hooks: Names
  /// Functions that expressions can call. They must return immediately, and return the same result for the same
  /// arguments if runs are to be reproducible. Default none.
  public var expressionFunctions: [FunctionDeclaration] = []
  /// Returns the help for a function that the host lacks; nil, the default, for help about names and apps.
  package var functionAdvice: (@Sendable (String) -> String)?
  /// The host's own operators, by name.
  let operators: [String: CustomOperatorEntry]
  /// The errors in the names of the host's operators. No stream compiles for a host that has any.
  let problems: [Diagnostic]

  /// - Parameters:
  ///   - functions: The names that `call` may use. Default none.
  ///   - hooks: The names that `handleEvents` may use. Default none.
  ///   - operators: Definitions whose names contain a dot, such as `acme.smooth`, so that none collides with an operator
  ///     of a later version. With another name (`S112`), or with a duplicate name (`S118`), no stream compiles for this
  ///     host.
  public init(
    functions: Names = .only([]), hooks: Names = .only([]), operators: [any OperatorDefinition.Type] = []
  ) {
    self.functions = functions
    self.hooks = hooks
    var entries: [String: CustomOperatorEntry] = [:]
    var problems: [Diagnostic] = []
    for entry in operators.map({ CustomOperatorEntry($0) }) {
      let name = entry.spec.name
      if !Operator.Custom.isName(name) {
        problems.append(
          Diagnostic(
            .invalidIdentifier,
            "the host registers an operator '\(name)', but the name of a host's operator must contain a dot",
            help: "rename it to 'acme.\(name)', with a prefix of your own instead of 'acme'"))
      } else if entries.updateValue(entry, forKey: name) != nil {
        problems.append(
          Diagnostic(
            .duplicateName, "the host registers two operators '\(name)'", help: "give each operator a unique name"))
      }
    }
    self.operators = entries
    self.problems = problems
  }

  /// A host that accepts every function and every hook, for inspecting a file without running it.
  public static let any: StreamHost = {
    var host = StreamHost(functions: .any, hooks: .any)
    host.isInspecting = true
    return host
  }()

  /// Whether files are only inspected, so that parameters without a value are not errors.
  package var isInspecting = false

  /// Whether the host may offer what a file requires: an operator, a function or a hook of this name. A host that
  /// handles any name offers every name.
  package func offers(_ name: String) -> Bool {
    hasOperator(name) || functions.contains(name) || hooks.contains(name)
  }

  /// Whether the host offers what a file requires.
  ///
  /// - Parameter used: The functions and hooks that the file uses. A host that handles any name offers these: a name
  ///   that the file does not use may be that of an operator.
  func offers(_ name: String, using used: Set<String>) -> Bool {
    hasOperator(name) || [functions, hooks].contains { $0.lists(name) || $0.contains(name) && used.contains(name) }
  }

  private func hasOperator(_ name: String) -> Bool {
    Operator.table.contains { $0.spec.name == name } || Source.table.contains { $0.spec.name == name }
      || operators[name] != nil
  }

  /// The name of an operator or a source that resembles a name; nil if there is none.
  func nearestOperator(to name: String) -> String? {
    nearestName(
      to: name, among: Operator.table.map(\.spec.name) + Source.table.map(\.spec.name) + operators.keys.sorted())
  }

  /// An operator is named by a key, a function or a hook by a value.
  static func notRegistered(
    _ what: String, _ name: String, known: [String], at pointer: JSONPointer, part: Diagnostic.Part = .value,
    help: String? = nil
  ) -> Diagnostic {
    Diagnostic(
      .notRegistered, "this host has no \(what) '\(name)'", at: pointer, part: part,
      notes: known.isEmpty ? ["it has none"] : ["available: \(known.listed)"],
      help: help ?? nearestName(to: name, among: known).map { "did you mean '\($0)'?" }
        ?? "run the file in the app it was written for, which registers '\(name)'")
  }
}

extension OperatorContext {
  /// Refuses a hook that the host has not registered.
  mutating func requireHook(_ name: String, field: String) throws(Diagnostics) {
    usedHooks.append(name)
    guard !options.host.hooks.contains(name) else { return }
    throw Diagnostics([
      StreamHost.notRegistered("hook", name, known: options.host.hooks.sorted, at: JSONPointer([field]))
    ])
  }
}

extension SourceContext {
  /// Refuses a function that the host has not registered.
  func requireFunction(_ name: String, field: String) throws(Diagnostics) {
    compiler.usedNames.insert(name)
    compiler.options.calledFunctions?.add(name)
    let host = compiler.options.host
    guard !host.functions.contains(name) else { return }
    throw Diagnostics([
      StreamHost.notRegistered(
        "function", name, known: host.functions.sorted, at: JSONPointer([field]), help: host.functionAdvice?(name))
    ])
  }
}
