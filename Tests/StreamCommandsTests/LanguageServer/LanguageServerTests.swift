@_spi(Engine) import StreamCore
import StreamKit
import StreamTesting
import StreamTools
import TestSupport
import Testing

@testable import StreamCommands
@testable import StreamDriving
@testable import StreamFiles

/// The server without its pipes.
@Suite struct LanguageServerTests {
  /// A server that has been said hello to.
  private func begun(_ abilities: Value = EditorClient.abilities) -> LanguageServer {
    let server = LanguageServer()
    send(server, ["id": 0, "method": "initialize", "params": ["capabilities": abilities]])
    _ = said(by: server)
    return server
  }

  private func send(_ server: LanguageServer, _ message: Value) {
    server.receive(.message(Array(JSONWriter.compact(message).utf8)))
  }

  private func open(_ server: LanguageServer, _ uri: String, _ text: String) {
    send(
      server,
      [
        "method": "textDocument/didOpen",
        "params": ["textDocument": ["uri": .string(uri), "version": 1, "text": .string(text)]],
      ])
  }

  /// All that it says until it has nothing more to do.
  private func said(by server: LanguageServer) -> [Value] {
    var all: [Value] = []
    while server.isBusy { all += server.work() }
    return all
  }

  @Test("Diagnostics follow fast typing once, and canceled requests are dropped")
  func typing() {
    let server = begun()
    open(server, "file:///x.json", "{}")
    for version in 2...50 {
      send(
        server,
        [
          "method": "textDocument/didChange",
          "params": [
            "textDocument": ["uri": "file:///x.json", "version": .int(Int64(version))],
            "contentChanges": [
              ["range": ["start": ["line": 0, "character": 1], "end": ["line": 0, "character": 1]], "text": " "]
            ],
          ],
        ])
    }
    send(server, ["id": "a", "method": "textDocument/hover", "params": EditorClient.place("file:///x.json", 0, 0)])
    send(server, ["id": 7, "method": "textDocument/hover", "params": EditorClient.place("file:///x.json", 0, 0)])
    send(server, ["method": "$/cancelRequest", "params": ["id": "a"]])
    let all = said(by: server)
    #expect(all.map { $0.member("id") } == ["a", 7, nil])
    #expect(all[0][JSONPointer(["error", "code"])] == -32_800)
    #expect(all[1].member("result") == .null)
    #expect(all[2][JSONPointer(["params", "version"])] == 50)
  }

  @Test(
    "An invalid request is refused with the reason",
    arguments: [
      (["id": 1, "method": "textDocument/hover", "params": [:]], -32_602),
      (["id": 1, "method": "textDocument/hover", "params": ["textDocument": ["uri": "file:///none"]]], -32_602),
      (["id": 1, "method": "textDocument/hover", "params": ["textDocument": ["uri": "file:///x.json"]]], -32_602),
      (["id": 1, "method": "textDocument/rename", "params": EditorClient.place("file:///x.json", 0, 0)], -32_602),
      (["id": 1, "method": "textDocument/codeAction", "params": ["textDocument": ["uri": "file:///x.json"]]], -32_602),
      (["id": 1, "method": "unknown"], -32_601), (["id": 1, "method": 5], -32_600),
      (["id": 1.5, "method": "x"], -32_600),
      (["jsonrpc": "2.0"], -32_600), ([], -32_600), ("text", -32_600),
    ] as [(Value, Int64)])
  func refused(_ message: Value, _ code: Int64) {
    let server = begun()
    open(server, "file:///x.json", "{}")
    _ = said(by: server)
    send(server, message)
    let answers = said(by: server)
    #expect(answers.count == 1)
    #expect(answers.first?[JSONPointer(["error", "code"])] == .int(code))
    // The message says something in words.
    let words = answers.first?[JSONPointer(["error", "message"])]?.text?.split(separator: " ") ?? []
    #expect(words.count >= 2, "\(words)")
  }

  @Test(
    "Invalid notifications are ignored",
    arguments: [
      ["method": "textDocument/didOpen"],
      ["method": "textDocument/didChange", "params": ["textDocument": ["uri": "file:///x.json"]]],
      [
        "method": "textDocument/didChange",
        "params": ["textDocument": ["uri": "file:///y.json"], "contentChanges": [["text": ""]]],
      ],
      ["method": "textDocument/didClose", "params": ["textDocument": ["uri": "file:///y.json"]]],
      ["method": "$/setTrace", "params": 5], ["method": "$/cancelRequest"], ["id": 4, "result": 5],
      [
        "method": "textDocument/didChange",
        "params": [
          "textDocument": ["uri": "file:///x.json"],
          "contentChanges": [5, ["range": 1, "text": "a"], ["range": [:], "text": "b"], ["text": 1]],
        ],
      ],
    ] as [Value])
  func passedOver(_ message: Value) {
    let server = begun()
    open(server, "file:///x.json", "{}")
    _ = said(by: server)
    send(server, message)
    #expect(said(by: server).allSatisfy { $0.member("method") == "textDocument/publishDiagnostics" })
    #expect(server.files["file:///x.json"]?.document.text.bytes == Array("{}".utf8))
  }

  @Test("An editor with few capabilities gets a form that it understands")
  func modest() {
    let server = begun([:])
    open(server, "file:///x.json", #"{"stream": [], "operators": [{"delay": {"secnods": 1}}, {"map": { }}]}"#)
    let told = said(by: server)
    let message = told[0][JSONPointer(["params", "diagnostics", "0", "message"])]?.text
    #expect(
      message
        == "unknown member 'secnods' in 'delay'\nnote: known members: seconds, failures, finish, limit\nhelp: did you mean 'seconds'?"
    )
    #expect(told[0][JSONPointer(["params", "diagnostics", "0", "relatedInformation"])] == nil)
    send(server, ["id": 1, "method": "textDocument/completion", "params": EditorClient.place("file:///x.json", 0, 66)])
    let item = said(by: server)[0][JSONPointer(["result", "items", "0"])]
    #expect(item?.member("insertTextFormat") == 1)
    #expect(item?[JSONPointer(["textEdit", "newText"])] == #""expression": """#)
    send(
      server, ["id": 2, "method": "textDocument/documentSymbol", "params": ["textDocument": ["uri": "file:///x.json"]]])
    let symbols = said(by: server)[0].member("result")?.elements ?? []
    #expect(symbols.map { $0.member("name") } == ["delay", "map"])
    #expect(symbols[0][JSONPointer(["location", "range", "start"])] == ["line": 0, "character": 29])
  }

  @Test("Edits in the editor's units leave the text that the editor has", arguments: [EditorUnits.utf8, .utf16])
  func edits(_ units: EditorUnits) {
    for seed in 0..<PropertyCount.cases(byDefault: 20) {
      var random = SeededGenerator(seed: seed)
      let server = begun(["general": ["positionEncodings": [.string(units.rawValue)]]])
      var text = "{\r\n \"é😀\": 1\n}\n"
      open(server, "file:///x.json", text)
      _ = said(by: server)
      for version in 0..<20 {
        let scalars = Array(text.unicodeScalars)
        let start = random.below(scalars.count + 1)
        let end = min(scalars.count, start + random.below(4))
        let new = random.pick(["", "a", "\n", "😀", "\"é\"", "\r", "x\r\ny"])
        let range = ["start": place(start, scalars, units), "end": place(end, scalars, units)] as Value
        // Between CR and LF no editor can be.
        if isWithinBreak(start, scalars) || isWithinBreak(end, scalars) { continue }
        text = String(String.UnicodeScalarView(scalars[..<start] + Array(new.unicodeScalars) + scalars[end...]))
        send(
          server,
          [
            "method": "textDocument/didChange",
            "params": [
              "textDocument": ["uri": "file:///x.json", "version": .int(Int64(version))],
              "contentChanges": [["range": range, "text": .string(new)]],
            ],
          ])
        _ = server.work()
        let bytes = server.files["file:///x.json"]?.document.text.bytes
        #expect(bytes == Array(text.utf8), "seed \(seed)")
      }
    }
  }

  private func isWithinBreak(_ place: Int, _ scalars: [Unicode.Scalar]) -> Bool {
    place > 0 && place < scalars.count && scalars[place - 1] == "\r" && scalars[place] == "\n"
  }

  private func place(_ index: Int, _ scalars: [Unicode.Scalar], _ units: EditorUnits) -> Value {
    var line = 0
    var character = 0
    for (number, scalar) in scalars[..<index].enumerated() {
      let isBreak = scalar == "\n" || (scalar == "\r" && !(number + 1 < scalars.count && scalars[number + 1] == "\n"))
      character += units == .utf8 ? String(scalar).utf8.count : String(scalar).utf16.count
      if isBreak { (line, character) = (line + 1, 0) }
    }
    return ["line": .int(Int64(line)), "character": .int(Int64(character))]
  }

  @Test(
    "An editor shows the diagnostics of `streamrun validate`",
    arguments: Fixture.names(in: Fixture.broken, ending: ".json"))
  func likeValidate(_ name: String) throws {
    let path = try Path.real("\(Fixture.broken)/\(name).json")
    var reader = JSONReader()
    let printed = try reader.read(Subprocess.run(["validate", path, "--format", "json"]).output)
    let text = Fixture.read(path)
    // An editor never sends invalid UTF-8.
    if text.unicodeScalars.contains("\u{FFFD}") { return }
    let server = begun(["general": ["positionEncodings": ["utf-8"]]])
    open(server, FileURI.uri(path), text)
    let told = said(by: server)[0][JSONPointer(["params", "diagnostics"])]?.elements ?? []
    #expect(told.map { $0.member("code") } == printed.elements.map { $0.member("code") })
    for (one, other) in zip(told, printed.elements) {
      guard case .string(path)? = other.member("file"), case .int(let line)? = other.member("line") else { continue }
      #expect(one[JSONPointer(["range", "start", "line"])] == .int(line - 1))
      #expect(one.member("message")?.text?.hasPrefix(other.member("message")?.text ?? "?") == true)
    }
  }

  @Test(
    "URIs name files, and files URIs",
    arguments: [
      ("file:///a/b%20c%C3%A9.json", "/a/b cé.json"), ("file:///a#x", "/a"), ("file://localhost/a", "/a"),
      ("FILE:///a", "/a"), ("untitled:Untitled-1", nil), ("file://host/a", nil), ("file:///a%2", nil),
      ("file:///a%00", nil),
      ("file://", nil), ("", nil),
    ] as [(String, String?)])
  func uris(_ uri: String, _ path: String?) {
    #expect(FileURI.path(uri) == path)
    if let path { #expect(FileURI.path(FileURI.uri(path)) == path) }
  }

  @Test("Definitions that multiply are an error of their file, and the next file is answered")
  func multiplying() {
    let doubling = (0..<40).map { level in
      let next = #"{"apply": {"definition": "d\#(level + 1)"}}"#
      return #""d\#(level)": {"operators": [\#(next), \#(next)]}"#
    }.joined(separator: ", ")
    let text = #"{"definitions": {\#(doubling), "d40": {"operators": []}}, "stream": [], "operators": []}"#
    let server = begun()
    open(server, "file:///x.json", text)
    open(server, "file:///y.json", #"{"stream": []}"#)
    send(server, ["id": 7, "method": "textDocument/hover", "params": EditorClient.place("file:///x.json", 0, 20)])
    var codes: [String: [Value]] = [:]
    for message in said(by: server) where message.member("method") == "textDocument/publishDiagnostics" {
      guard case .list(let found)? = message.member("params")?.member("diagnostics"),
        let uri = message.member("params")?.member("uri")?.text
      else { continue }
      codes[uri] = found.elements.compactMap { $0.member("code") }
    }
    #expect(codes["file:///x.json"] == ["S114"])
    #expect(codes["file:///y.json"] == [])
  }
}
