import StreamCore
import StreamKit
import StreamTools
import Testing

/// The events that caused others, as the studio shows them.
@Suite struct CauseTests {
  /// The causes of each event by track, as `track@place`.
  private func causes(_ operators: String, _ inputs: String) throws -> [String: [[String]]] {
    let json = """
      {"streams": {"b": {"source": {"never": {}}}}, "inputs": {"a": {}}, "source": {"input": {"name": "a"}},
       "operators": [\(operators)], "tests": [{"name": "t", "inputs": {\(inputs)}, "expect": {"values": []}}]}
      """
    let stream = try StreamFile(JSONDocument(reading: json, file: "s.json"), identity: "/s.json")
    var run = PictureRun(stream)
    run.showsStages = true
    let picture = try run.picture(of: try #require(stream.model.tests.first))
    let found = picture.trace.causes(of: picture.lanes.map(\.events))
    let titles = picture.lanes.map(\.title)
    return Dictionary(
      uniqueKeysWithValues: zip(titles, found.map { $0.map { $0.map { "\(titles[$0.lane])@\($0.index)" } } }))
  }

  private let fed = """
    "a": {"events": [{"at": 0, "value": 1}, {"at": 2, "value": 2}]},
    "b": {"events": [{"at": 1, "value": 10}, {"at": 3, "value": 20}]}
    """

  @Test("A combined value has a cause in each stream")
  func combined() throws {
    let latest = try causes(#"{"combineLatest": {"with": ["b"]}}"#, fed)
    #expect(latest["combineLatest → output"] == [["a@0", "b@0"], ["a@1", "b@0"], ["a@1", "b@1"]])
    let pairs = try causes(#"{"zip": {"with": ["b"]}}"#, fed)
    #expect(pairs["zip → output"] == [["a@0", "b@0"], ["a@1", "b@1"]])
    let with = try causes(#"{"withLatestFrom": {"with": ["b"]}}"#, fed)
    #expect(with["withLatestFrom → output"] == [["a@1", "b@0"]])
  }

  @Test("A merged value has one cause, and a stream that the test feeds has one track")
  func merged() throws {
    let merged = try causes(#"{"merge": {"with": ["b"]}}"#, fed)
    #expect(merged.keys.sorted() == ["a", "b", "merge → output"])
    #expect(merged["merge → output"] == [["a@0"], ["b@0"], ["a@1"], ["b@1"]])
  }

  @Test("The cause of a delayed value is the value, and of a group the last value in it")
  func delayed() throws {
    let fed = #""a": {"events": [{"at": 0, "value": 1}, {"at": 0.1, "value": 2}, {"at": 2, "value": 1}]}"#
    let delayed = try causes(#"{"delay": {"seconds": 0.5}}"#, fed)
    #expect(delayed["delay → output"] == [["a@0"], ["a@1"], ["a@2"]])
    let grouped = try causes(#"{"collectTime": {"seconds": 1}}"#, fed)
    #expect(grouped["collectTime → output"]?.first == ["a@1"])
  }
}
