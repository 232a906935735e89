import StreamCore

/// A function, an operator or a macro with its forms and examples, as the reference describes it.
public struct FunctionReference: Hashable, Sendable {
  /// An expression and its result, which is an expression, too.
  public struct Example: Hashable, Sendable {
    public let expression: String
    public let result: String
  }

  /// The name, or the operator's symbol: `size`, `math.abs`, `&&`.
  public let name: String
  public let family: FunctionFamily
  /// Descriptions of the result, in sentences without a full stop: one, or one for each form with a meaning of its own.
  public let summaries: [String]
  /// The overloads: `size(string) -> int`. A macro has none; its examples show its forms.
  public let signatures: [String]
  public let examples: [Example]

  /// Everything that an expression can call, by family and name. With `mixed` numbers an operator also has the overloads
  /// for numbers of different types, which the reference leaves out: its text explains them once.
  public static let all: [FunctionReference] = {
    var references: [String: FunctionReference] = [:]
    func add(_ name: String, _ family: FunctionFamily, _ summary: String, _ signatures: [Signature]) {
      let known = references[name]
      references[name] = FunctionReference(
        name: name, family: known?.family ?? family,
        summaries: (known?.summaries ?? []) + (known?.summaries.contains(summary) == true ? [] : [summary]),
        signatures: (known?.signatures ?? []) + signatures.map(\.description), examples: FunctionExamples.of(name))
    }
    for entry in FunctionCatalogue.entries(.strict) { add(entry.name, entry.family, entry.summary, entry.signatures) }
    for macro in Macro.all {
      add(macro.fullName, .loops, String(macro.summary.dropLast(macro.summary.hasSuffix(".") ? 1 : 0)), [])
    }
    let order = FunctionFamily.allCases
    return references.values.sorted {
      (order.firstIndex(of: $0.family) ?? 0, $0.name) < (order.firstIndex(of: $1.family) ?? 0, $1.name)
    }
  }()

  /// Returns help for a name that no function has: its equivalent, or the most similar name; nil if there is neither.
  public static func help(for name: String) -> String? {
    ForeignNames.help(for: name)
      ?? nearestName(to: name, among: all.map(\.name)).map { "did you mean '\($0)'?" }
  }
}

extension Macro {
  /// The name as an expression writes it: `cel.bind` is a method of the name `cel`.
  fileprivate var fullName: String { name == "bind" ? "cel.bind" : name }
}

/// The examples of the reference. Each is a test.
enum FunctionExamples {
  static func of(_ name: String) -> [FunctionReference.Example] { table[name] ?? [] }

  private static let table: [String: [FunctionReference.Example]] = {
    var table: [String: [FunctionReference.Example]] = [:]
    var name = ""
    for line in text.split(separator: "\n") {
      if let example = line.firstRange(of: " → "), line.hasPrefix("  ") {
        table[name, default: []].append(
          FunctionReference.Example(
            expression: String(line[..<example.lowerBound].dropFirst(2)),
            result: String(line[example.upperBound...])))
      } else {
        name = String(line)
      }
    }
    return table
  }()
}
