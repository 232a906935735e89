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
    let listed = Set(Deviations.all.flatMap(\.vectors))
    printTable(outcomes, listed)
    let failures = outcomes.filter { $0.problem != nil && !listed.contains($0.vector.id) }
    for failure in failures { print("  FAILED \(failure.vector.id)\n      \(failure.problem ?? "")") }
    let passedThoughListed = outcomes.filter { $0.problem == nil && listed.contains($0.vector.id) }.map(\.vector.id)
    for id in passedThoughListed { print("  LISTED AND PASSES \(id)") }
    let passed = outcomes.count { $0.problem == nil }
    print("RxConformance: \(passed) passed, \(failures.count) failed")
    #expect(failures.isEmpty)
    #expect(passedThoughListed.isEmpty, "are listed as deviations and pass")
  }

  private func printTable(_ outcomes: [VectorOutcome], _ listed: Set<String>) {
    let byTopic = Dictionary(grouping: outcomes) { $0.vector.topic }
    for (topic, outcomes) in byTopic.sorted(by: { $0.key < $1.key }) {
      let name = topic.padding(toLength: max(24, topic.count), withPad: " ", startingAt: 0)
      let failed = outcomes.count { $0.problem != nil && !listed.contains($0.vector.id) }
      let passed = outcomes.count { $0.problem == nil }
      let others = outcomes.count - failed - passed
      print("  \(name) \(passed) passed, \(failed) failed\(others > 0 ? ", \(others) listed" : "")")
    }
  }
}

/// What became of a vector.
struct VectorOutcome {
  let vector: ConformanceVector
  /// What went wrong, or nil.
  let problem: String?

  init(_ vector: ConformanceVector) {
    self.vector = vector
    problem = Self.problem(vector)
  }

  private static func problem(_ vector: ConformanceVector) -> String? {
    let runner: VectorRunner
    do {
      runner = try VectorRunner(vector)
    } catch let unsayable as Unsayable {
      return "cannot be said: \(unsayable.reason)"
    } catch let diagnostics as Diagnostics {
      return "does not compile: "
        + diagnostics.all.map { "\($0.code.rawValue) \($0.pointer): \($0.message)" }.joined(separator: "; ")
    } catch {
      return "\(error)"
    }
    let (history, subscriptions) = runner.run()
    let heard = HeardEvents.byObserver(history, of: vector)
    for (index, observer) in vector.observers.enumerated() {
      if let difference = VectorComparison.difference(observer.expect, heard[index]) {
        return vector.observers.count > 1 ? "observer \(index): \(difference)" : difference
      }
    }
    for (name, expected) in vector.subscriptions {
      let found = subscriptions[name] ?? []
      if found != expected { return "subscriptions of \(name): expected \(expected), got \(found)" }
    }
    return nil
  }
}
