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
    let outcomes = vectors.compactMap { try? $0.get() }.map(VectorOutcome.init)
    let unreadable = vectors.compactMap { vector in
      if case .failure(let problem) = vector { problem.message } else { nil }
    }
    let report = ConformanceReport(outcomes, unreadable: unreadable, isSharedFolder: VectorReader.isSharedFolder)
    print(report.text)
    let failed = report.failures.map(\.vector.id)
    #expect(failed == [])
    #expect(unreadable == [])
    #expect(report.passedThoughListed.isEmpty, "are listed as deviations and pass")
    #expect(report.unknownListed.isEmpty, "are listed as deviations and not there")
  }
}
