import StreamCore
import StreamKit

/// The outcome of a vector.
struct VectorOutcome {
  let vector: ConformanceVector
  /// The fault, or nil.
  let problem: String?
  /// Whether it does what SEMANTICS.md decides where Combine differs from RxJS, and no option does otherwise.
  let isAsCombine: Bool

  init(_ vector: ConformanceVector) {
    self.vector = vector
    (problem, isAsCombine) = Self.outcome(vector)
  }

  private static func outcome(_ vector: ConformanceVector) -> (String?, isAsCombine: Bool) {
    let runner: VectorRunner
    do {
      runner = try VectorRunner(vector)
    } catch let unsayable as Unsayable {
      return ("cannot be said: \(unsayable.reason)", false)
    } catch let diagnostics as Diagnostics {
      let problems = diagnostics.all.map { "\($0.code.rawValue) \($0.pointer): \($0.message)" }
      return ("does not compile: " + problems.joined(separator: "; "), false)
    } catch {
      return ("\(error)", false)
    }
    let (history, subscriptions) = runner.run()
    let heard = HeardEvents.byObserver(history, of: vector)
    for (index, observer) in vector.observers.enumerated() {
      if let difference = VectorComparison.difference(observer.expect, heard[index]) {
        if index == 0, vector.verdict == .differs, let decided = vector.combineExpect,
          VectorComparison.difference(decided, heard[index]) == nil
        {
          return ("as Combine: \(difference)", true)
        }
        return (vector.observers.count > 1 ? "observer \(index): \(difference)" : difference, false)
      }
    }
    for (name, expected) in vector.subscriptions {
      let found = subscriptions[name] ?? []
      if found != expected { return ("subscriptions of \(name): expected \(expected), got \(found)", false) }
    }
    return (nil, false)
  }
}
