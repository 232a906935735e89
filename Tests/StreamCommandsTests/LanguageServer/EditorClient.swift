@_spi(Engine) import StreamCore
import StreamKit
import TestSupport
import Testing

@testable import StreamCommands

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An editor: starts `streamrun lsp` and speaks with it over pipes.
final class EditorClient {
  private let child: Child
  private let toServer = Pipe()
  private let fromServer = Pipe()
  private var frames = MessageFrames()
  private var isOver = false
  private var number: Int64 = 0
  /// The server's messages that no test has read yet.
  private var told: [Value] = []

  /// - Parameter directory: the server's working directory.
  init(in directory: String? = nil) {
    child = Child(
      ["lsp"], input: toServer.reader, output: fromServer.writer, errors: Subprocess.openWrite("/dev/null"),
      in: directory)
  }

  deinit {
    child.send(SIGKILL)
    close(fromServer.reader)
    if !isOver { close(toServer.writer) }
  }

  /// Sends bytes unchanged.
  func send(raw text: String) { toServer.write(text) }

  func send(_ message: Value) {
    let body = JSONWriter.compact(message)
    send(raw: "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  func notify(_ method: String, _ parameters: Value) {
    send(["jsonrpc": "2.0", "method": .string(method), "params": parameters])
  }

  /// Asks, and waits for the answer: its result, or its error under `error`.
  func ask(_ method: String, _ parameters: Value) throws -> Value {
    number += 1
    send(["jsonrpc": "2.0", "id": .int(number), "method": .string(method), "params": parameters])
    while true {
      let message = try read()
      guard message.member("id") == .int(number) else {
        told.append(message)
        continue
      }
      return message.member("result") ?? message
    }
  }

  /// The next notification or request of the server.
  func next() throws -> Value { try told.isEmpty ? read() : told.removeFirst() }

  /// The next diagnostics of the server for a file.
  func diagnostics() throws -> Value {
    while true {
      let message = try next()
      if message.member("method") == "textDocument/publishDiagnostics" { return try #require(message.member("params")) }
    }
  }

  private func read() throws -> Value {
    while true {
      if let frame = frames.next() {
        guard case .message(let bytes) = frame else {
          Issue.record("the server sent what is no message: \(frame)")
          throw Silence()
        }
        var reader = JSONReader()
        return try reader.read(bytes)
      }
      let text = fromServer.read()
      guard !text.isEmpty else { throw Silence() }
      frames.append(Array(text.utf8))
    }
  }

  /// The server has ended, or has said nothing for too long.
  struct Silence: Error {}

  /// Closes the server's standard input.
  func leave() {
    isOver = true
    close(toServer.writer)
  }

  /// Waits for the server's end; gives its exit code.
  func end() -> Int32 { child.wait() }

  /// Says hello, as an editor with these abilities.
  @discardableResult
  func begin(_ abilities: Value = EditorClient.abilities) throws -> Value {
    let result = try ask("initialize", ["processId": .null, "rootUri": .null, "capabilities": abilities])
    notify("initialized", [:])
    return result
  }

  static let abilities: Value = [
    "textDocument": [
      "completion": ["completionItem": ["snippetSupport": true]],
      "publishDiagnostics": ["relatedInformation": true],
      "documentSymbol": ["hierarchicalDocumentSymbolSupport": true],
    ]
  ]

  func open(_ uri: String, _ text: String) {
    notify(
      "textDocument/didOpen",
      ["textDocument": ["uri": .string(uri), "languageId": "json", "version": 1, "text": .string(text)]])
  }

  func change(_ uri: String, version: Int64, _ changes: [Value]) {
    notify(
      "textDocument/didChange",
      ["textDocument": ["uri": .string(uri), "version": .int(version)], "contentChanges": .list(changes)])
  }

  static func place(_ uri: String, _ line: Int64, _ character: Int64) -> Value {
    ["textDocument": ["uri": .string(uri)], "position": ["line": .int(line), "character": .int(character)]]
  }
}
