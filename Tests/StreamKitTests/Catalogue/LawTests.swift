import Foundation
import StreamCore
import StreamKit
import StreamTesting
import Testing

/// The laws, for every operator and every source that the tables hold; with `OPERATOR=debounce` for that one alone.
@Suite struct LawTests {
  /// The operator or source that the environment names.
  private static let chosen = ProcessInfo.processInfo.environment["OPERATOR"]
  private static let running = ExampleStream.running.filter { chosen == nil || $0.name == chosen }
  private static let refused = ExampleStream.refused.filter { chosen == nil || $0.name == chosen }
  private static let allSpecs = Source.table.map(\.spec) + Operator.table.map(\.spec)
  private static let specs = allSpecs.filter { chosen == nil || $0.name == chosen }

  @Test("OPERATOR names an operator or a source")
  func chosenIsKnown() {
    guard let chosen = Self.chosen else { return }
    let help = nearestName(to: chosen, among: Self.allSpecs.map(\.name)).map { "; did you mean '\($0)'?" } ?? ""
    #expect(!Self.specs.isEmpty, "there is no operator or source '\(chosen)'\(help)")
  }

  @Test("An example does what its diagrams say", arguments: running)
  func doesWhatItSays(_ stream: ExampleStream) throws {
    let broken = try Laws.doesWhatItSays(stream)
    #expect(broken == nil)
  }

  @Test("An example of an error has its code and its place", arguments: refused)
  func refuses(_ stream: ExampleStream) throws {
    let broken = try Laws.refuses(stream)
    #expect(broken == nil)
  }

  @Test("Reading and writing change nothing", arguments: running)
  func codingRoundTrips(_ stream: ExampleStream) throws {
    let broken = try Laws.codingRoundTrips(stream)
    #expect(broken == nil)
  }

  @Test("An unknown field is refused where it stands", arguments: running)
  func refusesUnknownFields(_ stream: ExampleStream) throws {
    let broken = try Laws.refusesUnknownFields(stream)
    #expect(broken == nil)
  }

  @Test("A missing field is refused at its operator", arguments: running)
  func refusesMissingFields(_ stream: ExampleStream) throws {
    let spec = try #require(Self.specs.first { $0.name == stream.name })
    let broken = try Laws.refusesMissingFields(stream, spec)
    #expect(broken == nil)
  }

  @Test("Saved and restored between any two steps, it says the same", arguments: running)
  func survivesSaving(_ stream: ExampleStream) throws {
    let broken = try Laws.survivesSaving(stream)
    #expect(broken == nil)
  }

  @Test("Swapped for itself between any two steps, it says the same", arguments: running)
  func survivesSwapping(_ stream: ExampleStream) throws {
    let broken = try Laws.survivesSwapping(stream)
    #expect(broken == nil)
  }

  @Test(
    "Swapped for a version with more operators that keep nothing, it says the same", arguments: running)
  func keepsItsStateBesideNewOperators(_ stream: ExampleStream) throws {
    let broken = try Laws.keepsItsStateBesideNewOperators(stream)
    #expect(broken == nil)
  }

  @Test("Fused into one program with its neighbors, it says the same", arguments: running)
  func saysTheSameFused(_ stream: ExampleStream) throws {
    let broken = try Laws.saysTheSameFused(stream)
    #expect(broken == nil)
  }

  @Test("Before timeouts that never fire, it says the same", arguments: running)
  func saysTheSameBeforeTimeouts(_ stream: ExampleStream) throws {
    let broken = try Laws.saysTheSameBeforeTimeouts(stream)
    #expect(broken == nil)
  }

  @Test("Two runs say the same", arguments: running)
  func isDeterministic(_ stream: ExampleStream) throws {
    let broken = try Laws.isDeterministic(stream)
    #expect(broken == nil)
  }

  @Test("Nothing comes after the end", arguments: running)
  func saysNothingAfterTheEnd(_ stream: ExampleStream) throws {
    let broken = try Laws.saysNothingAfterTheEnd(stream)
    #expect(broken == nil)
  }

  @Test("Canceling after any step releases everything", arguments: running)
  func releasesEverythingWhenCanceled(_ stream: ExampleStream) throws {
    let broken = try Laws.releasesEverythingWhenCanceled(stream)
    #expect(broken == nil)
  }

  @Test("A failure that comes in goes out", arguments: running)
  func passesFailures(_ stream: ExampleStream) throws {
    let broken = try Laws.passesFailures(stream)
    #expect(broken == nil)
  }

  @Test("Asked for one value, it publishes no more", arguments: running)
  func keepsToDemand(_ stream: ExampleStream) throws {
    let broken = try Laws.keepsToDemand(stream)
    #expect(broken == nil)
  }

  @Test("Every operator and every source has an example that runs, and one that is refused where it has fields")
  func everyRowHasExamples() {
    for spec in Self.specs {
      #expect(ExampleStream.running.contains { $0.name == spec.name }, "\(spec.name)")
      let isRefused = ExampleStream.refused.contains { $0.name == spec.name }
      #expect(isRefused || spec.fields.isEmpty, "\(spec.name)")
    }
  }

  @Test("Summaries and fields are sentences, and names are unique")
  func documentationIsWhole() {
    for spec in Self.specs {
      #expect(spec.summary.hasSuffix(".") && spec.summary.first?.isUppercase == true, "\(spec.name)")
      for field in spec.fields {
        let isSentence = field.summary.hasSuffix(".") && field.summary.first?.isLowercase == false
        #expect(isSentence, "\(spec.name).\(field.name): \(field.summary)")
      }
    }
    for names in [Operator.table.map(\.spec.name), Source.table.map(\.spec.name)] {
      #expect(Set(names).count == names.count)
    }
  }
}
