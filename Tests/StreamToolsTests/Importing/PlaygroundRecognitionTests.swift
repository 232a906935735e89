import StreamCore
import StreamKit
import StreamTools
import TestSupport
import Testing

@Suite("Recognizing the playground's files")
struct PlaygroundRecognitionTests {
  @Test(
    "Files of the playground",
    arguments: [
      #"{"id": "x", "isDefault": true, "stream": []}"#,
      #"{"stream": [{"value": "1", "operatorItem": {"delay": {"seconds": 1}}}]}"#,
      #"{"name": "x", "operators": [{"filter": {"expression": "%d != 3"}}]}"#,
      #"{"operatorItem": "merge"}"#,
      #"{"operationType": "merge", "streamModelIds": []}"#,
      #"{"operatorType": "zip", "streamModelIds": []}"#,
      #"[{"id": "x", "isDefault": true, "stream": []}]"#,
      #"[{"operatorItem": "merge"}]"#,
      #"{"storedStreams": []}"#,
      #"{"currentStream": {"isDefault": true, "stream": []}}"#,
      #"{"mine": [{"operatorItem": "merge"}]}"#,
    ])
  func known(text: String) throws {
    let isRecognized = PlaygroundImporter.recognizes(try json(text))
    #expect(isRecognized)
  }

  @Test(
    "Files of streamrun and of other programs",
    arguments: [
      #"{"stream": [{"value": 1, "operators": [{"delay": {"seconds": 1}}]}]}"#,
      #"{"format": 1, "isDefault": true, "stream": []}"#,
      #"{"source": {"input": {"name": "a"}}, "operators": []}"#,
      #"{"streams": {"a": {"stream": []}}, "source": {"stream": {"name": "a"}}, "operators": []}"#,
      "{}", "[]", "[1, 2]", "3", "null", #""operators""#,
    ])
  func unknown(text: String) throws {
    let isRecognized = PlaygroundImporter.recognizes(try json(text))
    #expect(!isRecognized)
  }

  @Test("One model may stand under a key of UserDefaults, beside arrays")
  func currentStream() throws {
    let streams = try imported(
      """
      {"currentStream": {"id": "00000000-0000-4000-8000-00000000000A", "isDefault": true, "name": "Serial Stream A",
                         "stream": []},
       "storedJoinOperationStreams": [{"operatorItem": "zip"}],
       "storedStreams": \(defaultStreams)}
      """)
    #expect(streams.map(\.name) == ["Serial Stream A", nil, "Serial Stream A", "Serial Stream B"])
    // The current stream is one of the others, not a second default stream.
    #expect(streams[1].model.memberOrNull("operators") == [["zip": ["with": ["Serial Stream B"]]]])
  }
}
