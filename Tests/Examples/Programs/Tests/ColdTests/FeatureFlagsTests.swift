import Cold
import StreamKit
import Testing

@Suite("Feature flags", .timeLimit(.minutes(1)))
struct FeatureFlagsTests {
  @Test("A rollout grows with its percentage, and no user falls out of it")
  func rollout() throws {
    let users = (0..<400).map { FeatureFlags.User(id: "user\($0)", country: $0 % 2 == 0 ? "DE" : "US") }
    func chosen(_ percent: Int) throws -> Set<String> {
      let flags = try FeatureFlags(rules: FeatureFlags.rules(percent: percent))
      let chosen = users.filter { flags.answer(for: $0) == .flags(["euro": $0.country == "DE", "checkout": true]) }
      return Set(chosen.map(\.id))
    }
    let (none, few, more, all) = try (chosen(0), chosen(10), chosen(50), chosen(100))
    #expect(none.isEmpty)
    #expect((20...60).contains(few.count))
    #expect(few.isSubset(of: more))
    #expect(all.count == 400)
  }

  @Test("Rules with errors are refused, each error with its line")
  func wrongRules() {
    let rules = FeatureFlags.rules(percent: 10).replacing("value.country in", with: "value.county in")
    let error = #expect(throws: Diagnostics.self) { try FeatureFlags(rules: rules) }
    #expect(error?.description.contains("flags.json:5:") == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("did you mean 'country'?") == true)
  }

  @Test(
    "Rules that work or hold too much fail",
    arguments: [
      #"{"map": {"expression": "{'x': lists.range(5000).all(a, lists.range(5000).all(b, a + b >= 0))}"}}"#,
      #"{"switchMap": {"stream": {"source": {"repeatElement": {"value": {}}}, "operators": [{"count": {}}]}}}"#,
      #"{"switchMap": {"stream": {"source": {"repeatElement": {"value": {}}}, "operators": [{"collect": {}}]}}}"#,
    ])
  func greedyRules(operator text: String) throws {
    let flags = try FeatureFlags(
      rules: #"{"inputs": {"users": {}}, "source": {"input": {"name": "users"}}, "operators": [\#(text)]}"#)
    let answer = flags.answer(for: FeatureFlags.User(id: "a", country: "DE"))
    #expect(answer == .failed("S406") || answer == .failed("S417") || answer == .failed("S409"), "\(answer as Any)")
  }
}
