import Foundation
import StreamCore

/// The outcomes of all vectors.
struct ConformanceReport {
  private let outcomes: [VectorOutcome]
  /// The reasons why lines are not vectors.
  private let unreadable: [String]
  private let listed: Set<String>
  private let isSharedFolder: Bool

  /// - Parameter isSharedFolder: whether the vectors are those that `Deviations` lists. Other vectors also pass if they
  ///   agree with SEMANTICS.md where Combine differs from RxJS.
  init(_ outcomes: [VectorOutcome], unreadable: [String], isSharedFolder: Bool) {
    self.outcomes = outcomes
    self.unreadable = unreadable
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
    lines += unreadable.map { "  FAILED \($0)" }
    lines += passedThoughListed.map { "  LISTED AND PASSES \($0)" }
    lines.append(
      "RxConformance: \(outcomes.count(where: isPassed)) passed, \(failures.count + unreadable.count) failed")
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
