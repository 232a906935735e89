import StreamCore
import StreamKit
import TestSupport
import Testing

@testable import StreamCommands
@testable import StreamDriving
@testable import StreamFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The program itself, as an editor meets it: a process that is spoken with over pipes.
@Suite struct ServerProcessTests {
  static let uri = "file:///tmp/streamrun%20test.json"
  static let text = """
    {
      "inputs": { "a": { "type": { "mag": "double" } } },
      "source": { "input": { "name": "a" } },
      "operators": [
        { "filter": { "expression": "value.mag > 'five'" } },
        { "delay": { "secnods": 1 } }
      ]
    }

    """

  @Test("A session from hello to goodbye")
  func session() throws {
    let client = EditorClient()
    let abilities = try client.begin()
    #expect(abilities[JSONPointer(["capabilities", "positionEncoding"])] == "utf-16")
    #expect(abilities[JSONPointer(["serverInfo", "name"])] == "streamrun")

    client.open(Self.uri, Self.text)
    let told = try client.diagnostics()
    #expect(told.member("uri") == .string(Self.uri))
    #expect(told.member("version") == 1)
    #expect(told.member("diagnostics")?.elements.map { $0.member("code") } == ["S203", "S101"])
    #expect(told[JSONPointer(["diagnostics", "0", "range", "start"])] == ["line": 4, "character": 33])
    #expect(told[JSONPointer(["diagnostics", "1", "source"])] == "streamrun")

    let actions = try client.ask(
      "textDocument/codeAction",
      [
        "textDocument": ["uri": .string(Self.uri)], "context": ["diagnostics": []],
        "range": ["start": ["line": 5, "character": 20], "end": ["line": 5, "character": 20]],
      ])
    let edit = try #require(actions[JSONPointer(["0", "edit", "changes", Self.uri, "0"])])
    #expect(actions[JSONPointer(["0", "diagnostics", "0", "code"])] == "S101")
    client.change(
      Self.uri, version: 2, [["range": edit.member("range") ?? .null, "text": edit.member("newText") ?? .null]])
    client.change(
      Self.uri, version: 3,
      [["range": ["start": ["line": 4, "character": 45], "end": ["line": 4, "character": 51]], "text": "5."]])
    var last = try client.diagnostics()
    while last.member("version") != 3 { last = try client.diagnostics() }
    #expect(last.member("diagnostics")?.elements.map { $0.member("code") } == ["S201"])

    let completion = try client.ask("textDocument/completion", EditorClient.place(Self.uri, 4, 39))
    #expect(completion[JSONPointer(["items", "0", "label"])] == "mag")
    #expect(completion[JSONPointer(["items", "0", "detail"])] == "double")
    let hover = try client.ask("textDocument/hover", EditorClient.place(Self.uri, 5, 8))
    #expect(hover[JSONPointer(["contents", "value"])]?.text?.hasPrefix("**`delay`** (time)") == true)
    let symbols = try client.ask("textDocument/documentSymbol", ["textDocument": ["uri": .string(Self.uri)]])
    #expect(symbols.elements.map { $0.member("name") } == ["a", "input", "filter", "delay"])
    let definition = try client.ask("textDocument/definition", EditorClient.place(Self.uri, 2, 34))
    #expect(definition[JSONPointer(["range", "start"])] == ["line": 1, "character": 14])
    let rename = try client.ask(
      "textDocument/rename",
      [
        "textDocument": ["uri": .string(Self.uri)], "position": ["line": 2, "character": 34], "newName": "quakes",
      ])
    #expect(rename[JSONPointer(["changes", Self.uri])]?.elements.count == 2)
    let edits = try client.ask("textDocument/formatting", ["textDocument": ["uri": .string(Self.uri)], "options": [:]])
    #expect(edits == [])

    client.notify("textDocument/didClose", ["textDocument": ["uri": .string(Self.uri)]])
    let closed = try client.diagnostics()
    #expect(closed.member("diagnostics") == [])
    let end = try client.ask("shutdown", .null)
    #expect(end == .null)
    client.notify("exit", .null)
    #expect(client.end() == 0)
  }

  @Test("A client that exits without a shutdown request ends the server with code 1")
  func leaving() throws {
    let impolite = EditorClient()
    try impolite.begin()
    impolite.notify("exit", .null)
    #expect(impolite.end() == 1)
    let gone = EditorClient()
    try gone.begin()
    gone.leave()
    #expect(gone.end() == 1)
    let polite = EditorClient()
    try polite.begin()
    _ = try polite.ask("shutdown", .null)
    polite.leave()
    #expect(polite.end() == 0)
  }

  @Test("An invalid message gets a reply, and the session continues")
  func faults() throws {
    let client = EditorClient()
    let early = try client.ask("textDocument/hover", [:])
    #expect(early[JSONPointer(["error", "code"])] == -32_002)
    try client.begin()
    for (raw, code) in [
      ("Content-Length: 5\r\n\r\n{\"a\":", -32_700), ("Content-Length: many\r\n\r\n", -32_700),
      ("Content-Length: 2\r\n\r\n[]", -32_600), ("Nothing: here\r\n\r\n", -32_700),
    ] as [(String, Int64)] {
      client.send(raw: raw)
      let answer = try client.next()
      #expect(answer[JSONPointer(["error", "code"])] == .int(code), "\(raw)")
      #expect(answer.member("id") == .null)
    }
    let unknown = try client.ask("workspace/nothing", [:])
    #expect(unknown[JSONPointer(["error", "code"])] == -32_601)
    client.notify("workspace/nothing", [:])
    let second = try client.ask("initialize", ["capabilities": [:]])
    #expect(second[JSONPointer(["error", "code"])] == -32_600)
    _ = try client.ask("shutdown", .null)
    let late = try client.ask("textDocument/hover", [:])
    #expect(late[JSONPointer(["error", "code"])] == -32_600)
    client.notify("exit", .null)
    #expect(client.end() == 0)
  }

  @Test(
    "A message that is too long is answered, and ends the session", arguments: ["134217729", "9223372036854775807"])
  func tooLong(_ length: String) throws {
    let client = EditorClient()
    try client.begin()
    client.send(raw: "Content-Length: \(length)\r\n\r\n")
    let answer = try client.next()
    #expect(answer[JSONPointer(["error", "code"])] == -32_700)
    #expect(answer[JSONPointer(["error", "message"])]?.text?.contains("the session ends") == true)
    #expect(client.end() == 1)
  }

  @Test("A file that another names is that of the editor where it is open there, else that of the disk")
  func files() throws {
    let folder = Fixture.Folder()
    folder.add("part.json", #"{"stream": [{"value": 1}]}"#)
    let path = try Path.real(folder.path)
    let client = EditorClient(in: "/")
    try client.begin()
    let whole = FileURI.uri(path + "/whole.json")
    let part = FileURI.uri(path + "/part.json")
    client.open(
      whole,
      #"{"source": {"stream": {"file": "part.json"}}, "operators": [{"filter": {"expression": "value.size() > 1"}}]}"#)
    let first = try client.diagnostics()
    #expect(first.member("diagnostics")?.elements.map { $0.member("code") } == ["S205"], "1 has no size")
    let definition = try client.ask("textDocument/definition", EditorClient.place(whole, 0, 35))
    #expect(definition.member("uri") == .string(part))
    // The text in the editor says that it is a text.
    client.open(part, #"{"stream": [{"value": "1"}]}"#)
    var told = [try client.diagnostics(), try client.diagnostics()]
    told.sort { $0.member("uri")?.text ?? "" < $1.member("uri")?.text ?? "" }
    #expect(told.map { $0.member("uri") } == [.string(part), .string(whole)])
    #expect(told.map { $0.member("diagnostics") } == [[], []])
    // An error in it is reported at its place, and at the place that names it.
    client.change(part, version: 2, [["text": #"{"nmae": "", "stream": []}"#]])
    told = [try client.diagnostics(), try client.diagnostics()]
    told.sort { $0.member("uri")?.text ?? "" < $1.member("uri")?.text ?? "" }
    #expect(told[0][JSONPointer(["diagnostics", "0", "code"])] == "S101")
    #expect(told[1][JSONPointer(["diagnostics", "0", "range", "start"])] == ["line": 0, "character": 31])
    #expect(told[1][JSONPointer(["diagnostics", "0", "message"])]?.text?.hasPrefix(path + "/part.json:1:2: ") == true)
    // Once it is closed the disk counts again.
    client.notify("textDocument/didClose", ["textDocument": ["uri": .string(part)]])
    _ = try client.diagnostics()
    let last = try client.diagnostics()
    #expect(last.member("diagnostics")?.elements.map { $0.member("code") } == ["S205"])
  }

  @Test("The server does not wait for a pipe that a file names, and reads nothing outside")
  func refused() throws {
    let folder = Fixture.Folder()
    let path = try Path.real(folder.path)
    mkfifo(folder.path("pipe.json"), 0o600)
    let client = EditorClient(in: "/")
    try client.begin()
    for (name, code) in [("pipe.json", "S505"), ("/etc/passwd", "S508"), ("/dev/ptmx", "S508"), ("../no", "S508")] {
      for source in [
        "{\"stream\": {\"file\": \"\(name)\"}}", "{\"file\": {\"path\": \"\(name)\", \"format\": \"csv\"}}",
      ] {
        let uri = FileURI.uri(path + "/s.json")
        client.open(uri, "{\"source\": \(source)}")
        let told = try client.diagnostics().member("diagnostics")?.elements ?? []
        // Before the stream runs, only the place of values is checked.
        if name == "pipe.json", source.contains("csv") {
          #expect(told.isEmpty)
        } else {
          #expect(told.map { $0.member("code") } == [.string(code)], "\(source)")
          #expect(!told.contains { JSONWriter.compact($0).contains("root:") })
        }
        let definition = try client.ask("textDocument/definition", EditorClient.place(uri, 0, 32))
        #expect(definition == .null)
      }
    }
  }
}

extension ServerProcessTests {
  @Test("A buffer that has not been saved is granted no files, whatever the server's working directory is")
  func untitled() throws {
    let folder = Fixture.Folder()
    folder.add("part.json", #"{"source": {"just": {"value": 1}}}"#)
    let path = folder.add("row.ndjson", "1\n")
    let client = EditorClient(in: folder.path)
    try client.begin()
    for uri in ["untitled:Untitled-1", "untitled:/s.json", "untitled:\(folder.path)/s.json", "http://host\(path)"] {
      for source in [
        #"{"stream": {"file": "part.json"}}"#, #"{"file": {"path": "row.ndjson", "format": "ndjson"}}"#,
        #"{"file": {"path": "\#(path)", "format": "ndjson"}}"#,
      ] {
        client.open(uri, "{\"source\": \(source)}")
        let told = try client.diagnostics().member("diagnostics")?.elements ?? []
        #expect(told.map { $0.member("code") } == ["S508"], "\(uri) \(source)")
      }
    }
  }
}

extension ServerProcessTests {
  @Test("An editor shows the warnings of `validate`")
  func warnings() throws {
    let folder = Fixture.Folder()
    let text = #"{"inputs": {"a": {}}, "streams": {"u": {"source": {"just": {"value": 1}}}}, "source": {"empty": {}}}"#
    let path = folder.add("s.json", text)
    let client = EditorClient(in: folder.path)
    try client.begin()
    client.open("file://\(path)", text)
    let told = try client.diagnostics().member("diagnostics")?.elements ?? []
    #expect(told.map { $0.member("code") } == ["S124", "S124"])
    #expect(told.allSatisfy { $0.member("severity") == 2 })
    #expect(told.map { $0.member("range")?.member("start")?.member("character") } == [34, 12])
  }
}

extension Value {
  /// The elements of a list; empty for other values.
  var elements: [Value] { if case .list(let list) = self { list.elements } else { [] } }
}
