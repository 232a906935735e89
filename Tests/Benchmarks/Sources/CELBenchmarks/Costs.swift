import CEL
import StreamCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// Measures every function of the catalogue with arguments of 10 MB: no call may take more than 10 ns for a step that it
/// is charged, so that the budget of an evaluation bounds its time.
///
/// An argument of each type comes in several contents, because a function may be fast for one and slow for another.
struct CostRun {
  /// The bound, in nanoseconds for a step.
  static let bound = 10.0
  /// Calls up to so many steps are not judged: what they take is below what can be measured.
  private static let leastSteps = 1000
  /// Calls that take less are too short to be measured.
  private static let leastMilliseconds = 1.0
  private let bytes = 10_000_000
  private let limits = ExpressionLimits(budget: 40_000_000, stringBytes: 40_000_000, listCount: 40_000_000)

  private struct Result {
    var call: String
    var contents: String
    var milliseconds: Double
    var steps: Int
    var nanosecondsPerStep: Double { milliseconds * 1e6 / Double(max(steps, CostRun.leastSteps)) }
  }

  private typealias Content = (name: String, value: Value)

  private func text(_ part: String) -> Value { .string(String(repeating: part, count: bytes / part.utf8.count)) }

  private var texts: [Content] {
    [
      ("words", text("ab ")), ("accents", text("e\u{301}")), ("blanks", text(" \u{2003}")), ("zeros", text("0")),
      ("times", text("0h")), ("JSON", .string("[" + String(repeating: "[],", count: bytes / 3) + "1]")),
      ("object", .string("{" + (0..<600_000).map { "\"\($0 + 1_000_000)\":0" }.joined(separator: ",") + "}")),
      ("quotes", text("\"")),
    ]
  }

  private var lists: [Content] {
    [
      ("ints", .list((0..<200_000).map { .int($0 ^ 0x5555) })),
      ("strings", .list((0..<200_000).map { .string("\($0 ^ 0x5555) in ten bytes") })),
      ("alike", .list(Array(repeating: .string(String(repeating: "x", count: 999)), count: 10_000))),
      ("lists", .list((0..<100_000).map { .list([.int($0)]) })),
      ("doubling", (0..<60).reduce(Value.list([1])) { value, _ in .list([value, value]) }),
    ]
  }

  private var maps: [Content] {
    [
      ("ints to ints", .map(ValueMap((0..<200_000).map { (Value.int($0), Value.int($0)) }))),
      ("strings", .map(ValueMap((0..<100_000).map { (Value.string("a key \($0)"), Value.string("a value \($0)")) }))),
    ]
  }

  private var blob: [Content] { [("bytes", .bytes([UInt8](repeating: 0x61, count: bytes)))] }

  /// The possible arguments of this type, the long ones first.
  private func contents(of type: CELType, _ long: LongContents) -> [Content] {
    switch type {
    case .string: long.texts + [("short", "a"), ("empty", "")]
    case .bytes: long.blob
    case .list: long.lists
    case .map, .record: long.maps
    case .int: [("1", 1), ("million", 1_000_000)]
    case .dyn, .parameter: long.texts + long.blob + long.lists + long.maps
    case .uint: [("1u", .uint(1))]
    case .double: [("1.5", 1.5)]
    case .bool: [("true", true)]
    default: [("null", .null)]
    }
  }

  private struct LongContents {
    let texts: [Content]
    let blob: [Content]
    let lists: [Content]
    let maps: [Content]
  }

  /// How a function or operator is called with variables `a`, `b`, …; nil for those that only macros write.
  private func call(_ entry: FunctionCatalogue.Entry, _ signature: Signature) -> String? {
    let names = ["a", "b", "c", "d", "e"].prefix(signature.parameters.count)
    if !entry.isOperator {
      let arguments = (signature.isMember ? names.dropFirst() : names[...]).joined(separator: ", ")
      return (signature.isMember ? "a." : "") + "\(entry.name)(\(arguments))"
    }
    switch (entry.name, names.count) {
    case ("[]", 2), ("[ ]", 2), ("_[_]", 2): return "a[b]"
    case (let name, 2) where name.allSatisfy({ "+-*/%<>=!&|".contains($0) }) || name == "in": return "a \(name) b"
    case (let name, 1) where name == "-" || name == "!": return "\(name)a"
    default: return nil
    }
  }

  /// Loops and other forms that are not in the catalogue.
  private static let forms = [
    "a.map(x, x)", "a.map(x, [x, x])", "a.map(x, {'k': x})", "a.filter(x, x == x)", "a.all(x, x == x)",
    "a.exists(x, x != x)", "a.exists_one(x, x == x)", "a.all(x, x.missing == 1 || true)",
    "a.transformList(i, x, x)", "a.transformMap(i, x, x)", "a.transformMapEntry(i, x, {string(i): x})",
    "a.sortBy(x, x)", "a.map(x, string(x) in {'a': 1})", "a[?b].hasValue()", "{b: a}", "has(a.b)", "a in [b]",
    "a.all(x, size('%s'.format([x])) > 0)", "b.matches('(a|b| )*c')", "regex.replace(b, '(a)(b)', '\\\\2')",
    "a.fold(n, x, 0, n + 1)", "a.fold(n, x, '', x)", "a.groupBy(x, string(x))", "a.groupBy(x, 1)",
    "a.sortBy(x, [x, 1])", "a.merge({'k': 1})", "{'k': 1}.merge(a)", "a.rename({'a key 1': 'k'})",
    "a.without(['a key 1'])", "a.without('a key 1')", "a.zip(a)", "'%1000s'.format([b])", "b.normalize().size()",
    "parseTime(b, 'dd/MMM/yyyy')", "regex.groups(b, '(?P<x>a)(?P<y>b)')", "tryDouble(b)",
    "b.matches('(?i)[a-z]+[é-ü]$')", "b.matches('a' + 'b*')", "regex.extractAll(b, '')", "b + b", "[a, b] == [b, a]",
  ]

  /// Prints the slowest content of every call; false where one takes too long.
  func run() -> Bool {
    let long = LongContents(texts: texts, blob: blob, lists: lists, maps: maps)
    var calls: [(text: String, arguments: [[Content]])] = []
    for entry in FunctionCatalogue.entries() {
      for signature in entry.signatures {
        guard let text = call(entry, signature) else { continue }
        calls.append((text, signature.parameters.map { contents(of: $0, long) }))
      }
    }
    for form in Self.forms {
      let isOfText = !form.contains("a.") && !form.contains("a[") && !form.contains("[a")
      calls.append((form, [isOfText ? long.texts : long.lists + long.maps, long.texts + [("short", "a")]]))
    }
    var isGood = true
    for call in calls {
      var worst: Result?
      let results = self.results(call.text, call.arguments)
      // The start of a thread with a larger stack, or a first use, says nothing of what grows.
      let long = results.filter { $0.milliseconds >= Self.leastMilliseconds }
      for result in long.isEmpty ? results : long
      where result.nanosecondsPerStep > worst?.nanosecondsPerStep ?? -1 {
        worst = result
      }
      guard let worst else { continue }
      let isSlow = worst.nanosecondsPerStep > Self.bound && worst.milliseconds >= Self.leastMilliseconds
      if isSlow { isGood = false }
      // A function whose arguments have no size matters only if it is slow.
      if worst.steps < Self.leastSteps && !isSlow { continue }
      let ratio = (worst.nanosecondsPerStep * 100).rounded() / 100
      print(
        "cost: \(worst.call) of \(worst.contents): \((worst.milliseconds * 10).rounded() / 10) ms, \(worst.steps) steps, "
          + "\(ratio) ns a step\(isSlow ? "  ABOVE \(Int(Self.bound)) ns" : "")")
      fflush(nil)
    }
    print(isGood ? "cost: every call is within the bound" : "cost: some calls are ABOVE the bound")
    return isGood
  }

  /// The call with each content of each argument, the others being their first and their last.
  private func results(_ text: String, _ arguments: [[Content]]) -> [Result] {
    let environment = ExpressionEnvironment(
      variables: ["a", "b", "c", "d", "e"].prefix(arguments.count).map { Variable($0) }, limits: limits)
    guard let plan = try? CELExpression(text).plan(in: environment) else { return [] }
    var seen: Set<String> = []
    var results: [Result] = []
    for place in arguments.indices {
      for content in arguments[place] {
        for others in [0, Int.max] {
          var chosen = arguments.map { $0[min(others, $0.count - 1)] }
          chosen[place] = content
          let contents = chosen.map(\.name).joined(separator: ", ")
          guard seen.insert(contents).inserted else { continue }
          results.append(measured(plan, text, contents, chosen.map(\.value)))
        }
      }
    }
    return results
  }

  private func measured(_ plan: Plan, _ text: String, _ contents: String, _ values: [Value]) -> Result {
    let activation = Activation(slotCount: values.count, limits: limits)
    for (slot, value) in values.enumerated() { activation.set(value, at: slot) }
    var result = Result(call: text, contents: contents, milliseconds: .infinity, steps: 0)
    // A slow function is measured again, since another process may have slowed it down.
    for _ in 0..<3 where result.nanosecondsPerStep > Self.bound {
      let start = clock()
      _ = opaque(try? plan.evaluate(activation))
      // NB: the processor's time, so that other processes count for less.
      result.milliseconds = min(result.milliseconds, Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1e3)
      result.steps = activation.steps
    }
    return result
  }
}
