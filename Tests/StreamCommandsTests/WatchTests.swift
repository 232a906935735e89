import TestSupport
import Testing

/// The messages of `print` and `handleEvents` in the command: on standard error, in step with the values.
@Suite struct WatchTests {
  @Test("`print` writes the events to standard error, and changes nothing")
  func prints() {
    let folder = Fixture.Folder()
    folder.add(
      "s.json",
      #"{"stream": [{"value": 1}, {"value": {"a": "b"}}], "operators": [{"print": {"label": "here"}}]}"#)
    let outcome = Subprocess.run(["s.json", "--virtual"], in: folder.path)
    #expect(outcome.output == "1\n{\"a\":\"b\"}\n")
    #expect(
      outcome.errors == """
        here: receive subscription
        here: request unlimited
        here: receive value: (1)
        here: receive value: ({"a":"b"})
        here: receive finished

        """)
    #expect(outcome.code == 0)
  }

  @Test("`print` reports a failure, and cancellation by --limit or by an operator")
  func printsEnds() {
    let folder = Fixture.Folder()
    folder.add("f.json", #"{"source": {"fail": {"error": {"message": "no"}}}, "operators": [{"print": {}}]}"#)
    let failing = Subprocess.run(["f.json", "--virtual"], in: folder.path)
    #expect(failing.errors.hasPrefix("receive subscription\n"))
    #expect(failing.errors.contains("receive error: ({\"message\":\"no\"})\n"))
    #expect(failing.code == 1)
    folder.add("t.json", #"{"source": {"timer": {"every": 1}}, "operators": [{"print": {}}]}"#)
    let limited = Subprocess.run(["t.json", "--virtual", "--limit", "1"], in: folder.path)
    #expect(limited.output == "0\n")
    #expect(limited.errors.hasSuffix("receive value: (0)\nreceive cancel\n"))
    folder.add(
      "p.json", #"{"source": {"timer": {"every": 1}}, "operators": [{"print": {}}, {"prefix": {"count": 1}}]}"#)
    let cut = Subprocess.run(["p.json", "--virtual"], in: folder.path)
    #expect(cut.output == "0\n")
    #expect(cut.errors.hasSuffix("receive value: (0)\nreceive cancel\n"))
  }

  @Test("The command prints hooks, and refuses a file that calls a function")
  func hooksAndFunctions() {
    let folder = Fixture.Folder()
    folder.add("h.json", #"{"stream": [{"value": 1}], "operators": [{"handleEvents": {"receiveOutput": "store"}}]}"#)
    let told = Subprocess.run(["h.json", "--virtual"], in: folder.path)
    #expect(told.output == "1\n")
    #expect(told.errors.contains("store"))
    #expect(told.code == 0)
    folder.add("c.json", #"{"source": {"call": {"function": "server.has"}}}"#)
    let refused = Subprocess.run(["c.json", "--virtual"], in: folder.path)
    #expect(refused.errors.hasPrefix("c.json:1:34: error S121: this host has no function 'server.has'"))
    #expect(refused.code == 2)
  }
}
