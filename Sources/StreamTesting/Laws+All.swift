public import StreamKit

extension Laws {
  /// Checks every law for a host's operator, through the examples of its documentation.
  ///
  /// - Returns: The violations, each with the example and the law; empty if there are none.
  public static func broken(by type: any OperatorDefinition.Type) throws -> [String] {
    let examples = ExampleStream.examples(of: type)
    var broken: [String] = []
    for example in examples {
      for (law, check) in example.isRunning ? laws(for: type.spec) : [("refuses", refuses)] {
        if let problem = try check(example) { broken.append("\(example.title): \(law): \(problem)") }
      }
    }
    if !examples.contains(where: \.isRunning) { broken.append("\(type.spec.name) has no example that runs") }
    return broken
  }

  /// Returns the laws for a runnable example, by name.
  private static func laws(for spec: OperatorSpec) -> [(String, (ExampleStream) throws -> String?)] {
    [
      ("does what it says", doesWhatItSays), ("coding round trips", codingRoundTrips),
      ("refuses unknown fields", refusesUnknownFields),
      ("refuses missing fields", { try refusesMissingFields($0, spec) }), ("survives saving", survivesSaving),
      ("survives swapping", survivesSwapping),
      ("keeps its state beside new operators", keepsItsStateBesideNewOperators),
      ("is deterministic", isDeterministic), ("says nothing after the end", saysNothingAfterTheEnd),
      ("releases everything when canceled", releasesEverythingWhenCanceled),
      ("says the same fused", saysTheSameFused), ("says the same before timeouts", saysTheSameBeforeTimeouts),
      ("passes failures", passesFailures),
      ("keeps to demand", keepsToDemand),
    ]
  }
}
