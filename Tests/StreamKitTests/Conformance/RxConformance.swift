import Foundation
import StreamCore
import Testing

/// What RxJS's marble tests ask, under Combine's semantics as SEMANTICS.md decides them.
@Suite struct RxConformance {
  @Test func `every vector passes or is listed with its reason`() throws {
    guard let vectors = try VectorReader.vectors() else {
      print("RxConformance: skipped, there are no vectors (set RX_CONFORMANCE to their folder)")
      return
    }
    let outcomes = vectors.map(VectorOutcome.init)
    let report = ConformanceReport(outcomes, isSharedFolder: VectorReader.isSharedFolder)
    print(report.text)
    #expect(report.failures.isEmpty)
    #expect(report.passedThoughListed.isEmpty, "are listed as deviations and pass")
    #expect(report.unknownListed.isEmpty, "are listed as deviations and not there")
  }
}

/// What became of all vectors.
struct ConformanceReport {
  private let outcomes: [VectorOutcome]
  private let listed: Set<String>
  private let isSharedFolder: Bool

  /// - Parameter isSharedFolder: whether the vectors are those that `Deviations` lists. Of others those pass too that do
  ///   what SEMANTICS.md decides where Combine differs from RxJS.
  init(_ outcomes: [VectorOutcome], isSharedFolder: Bool) {
    self.outcomes = outcomes
    self.isSharedFolder = isSharedFolder
    listed = isSharedFolder ? Set(Deviations.all.flatMap(\.vectors)) : []
  }

  private func isPassed(_ outcome: VectorOutcome) -> Bool {
    outcome.problem == nil || (outcome.isAsCombine && !isSharedFolder)
  }

  private func isListed(_ outcome: VectorOutcome) -> Bool { listed.contains(outcome.vector.id) }

  var failures: [VectorOutcome] { outcomes.filter { !isPassed($0) && !isListed($0) } }

  var passedThoughListed: [String] {
    outcomes.filter { isPassed($0) && isListed($0) }.map(\.vector.id)
  }

  var unknownListed: [String] { listed.subtracting(outcomes.map(\.vector.id)).sorted() }

  /// A table by operator, what failed and what is listed, and the sum.
  var text: String {
    var lines = Dictionary(grouping: outcomes, by: \.vector.topic).sorted { $0.key < $1.key }.map(line)
    lines += failures.map { "  FAILED \($0.vector.id)\n      \($0.problem ?? "")" }
    if isSharedFolder {
      for deviation in Deviations.all {
        lines.append("  listed: \(deviation.reason)")
        lines += deviation.vectors.map { "      \($0)" }
      }
    }
    lines += passedThoughListed.map { "  LISTED AND PASSES \($0)" }
    lines.append("RxConformance: \(outcomes.count(where: isPassed)) passed, \(failures.count) failed")
    return lines.joined(separator: "\n")
  }

  private func line(_ topic: String, _ outcomes: [VectorOutcome]) -> String {
    let name = topic.padding(toLength: max(24, topic.count), withPad: " ", startingAt: 0)
    let passed = outcomes.count(where: isPassed)
    let others = outcomes.count { isListed($0) && !isPassed($0) }
    let counts = "\(passed) passed, \(outcomes.count - passed - others) failed"
    return "  \(name) \(counts)\(others > 0 ? ", \(others) listed" : "")"
  }
}

/// What became of a vector.
struct VectorOutcome {
  let vector: ConformanceVector
  /// What went wrong, or nil.
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
