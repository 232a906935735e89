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
