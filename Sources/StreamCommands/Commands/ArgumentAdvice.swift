internal import StreamConsole
internal import StreamCore

/// Help for arguments that are written as other tools read them.
enum ArgumentAdvice {
  /// Returns help for arguments that were refused; nil if nothing is known of them.
  ///
  /// - Parameter message: The message of the argument parser, which names the option.
  static func help(for arguments: [String], _ message: String) -> String? {
    if let first = arguments.first, let name = subcommand(for: first) { return name }
    if arguments.count == 1, ["-v", "-V", "-version"].contains(arguments[0]) {
      return "did you mean 'streamrun --version'?"
    }
    return OptionAdvice.help(for: arguments, message)
  }

  /// Returns help for a first argument that was meant as a subcommand; nil if it is one, or resembles none.
  static func subcommand(for name: String) -> String? {
    if name.contains("("), name.hasSuffix(")") { return "a one-liner follows -e: streamrun -e '\(name)'" }
    guard !name.hasPrefix("-"), !name.contains("."), !name.contains("/"), !Streamrun.subcommandNames.contains(name)
    else { return nil }
    if let advice = verbs[name.lowercased()] { return advice }
    return nearestName(to: name, among: Streamrun.subcommandNames).map { "did you mean 'streamrun \($0)'?" }
  }

  private static let verbs: [String: String] = {
    let groups = [
      ("validate", "check lint verify typecheck"), ("format", "fmt pretty prettify"),
      ("operators", "list ls ops catalog catalogue sources docs man"), ("functions", "fns funcs builtins"),
      ("run", "start exec execute play stream process"), ("eval", "repl calc expr evaluate"), ("diff", "compare cmp"),
      ("show", "draw graph viz visualize plot diagram render"), ("explain", "describe inspect plan"),
      ("bench", "benchmark profile time"), ("import", "convert migrate"), ("hash", "digest checksum id"),
      ("--version", "version"),
    ]
    var table = Dictionary(
      uniqueKeysWithValues: groups.flatMap { name, verbs in
        verbs.split(separator: " ").map { (String($0), "did you mean 'streamrun \(name)'?") }
      })
    for verb in ["init", "new", "create"] {
      table[verb] = "a stream file is JSON; begin with {\"stream\": [{\"value\": 1}]}"
    }
    for verb in ["export", "codegen", "transpile", "generate"] {
      table[verb] = "streamrun exports no code, since an app runs the file itself; 'streamrun show --graph' draws it"
    }
    for verb in ["serve", "hub", "server", "publish"] {
      table[verb] = "'streamhub \(verb == "publish" ? verb : "serve")' does"
    }
    return table
  }()
}
