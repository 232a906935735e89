import Foundation
import StreamCore
import StreamEngine
import Testing

/// RxJS's marble tests, under Combine's semantics as decided in SEMANTICS.md.
@Suite(
  .enabled(
    if: VectorReader.folder != nil, "no vectors in ../shared/conformance/rxjs: set RX_CONFORMANCE to their folder"))
struct RxConformance {
  @Test("Every vector passes or is listed with its reason")
  func everyVectorPasses() throws {
    let vectors = try #require(try VectorReader.vectors())
    let outcomes = vectors.compactMap { try? $0.get() }.map(VectorOutcome.init)
    let unreadable = vectors.compactMap { vector in
      if case .failure(let problem) = vector { problem.message } else { nil }
    }
    let report = ConformanceReport(outcomes, unreadable: unreadable, isSharedFolder: VectorReader.isSharedFolder)
    print(report.text)
    #expect(!outcomes.isEmpty)
    let failed = report.failures.map(\.vector.id)
    #expect(failed == [])
    #expect(unreadable == [])
    #expect(report.passedThoughListed.isEmpty, "are listed as deviations and pass")
    #expect(report.unknownListed.isEmpty, "are listed as deviations and not there")
  }

  /// Every fourth, since saving after each step takes its time.
  @Test("Vectors are the same when they are saved and restored on the way")
  func vectorsSameWhen() throws {
    let all = try #require(try VectorReader.vectors()).compactMap { try? $0.get() }
    let vectors = stride(from: 0, to: all.count, by: 4).map { all[$0] }
    var differing: [String] = []
    for vector in vectors {
      guard let plain = try? VectorRunner(vector), let saved = try? VectorRunner(vector) else { continue }
      let expected = plain.run().history
      let actual = try? saved.run { execution throws in
        guard !execution.isEnded else { return execution }
        return try Execution(saved.pipeline, restoring: Snapshot(text: execution.snapshot().text()))
      }.history
      if actual != expected { differing.append(vector.id) }
    }
    #expect(differing == [])
  }
}
