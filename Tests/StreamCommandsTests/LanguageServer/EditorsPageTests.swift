import StreamCore
import StreamKit
import TestSupport
import Testing

@testable import StreamCommands

/// The page on editors is true, as far as that can be checked without the editors.
@Suite struct EditorsPageTests {
  static let page = DocumentationPages.text(of: "Editors")
  static let blocks = CodeBlock.blocks(of: "Editors")

  @Test("Every request that the page names is answered, and every request that is offered is named")
  func requests() throws {
    let named = NamesInPagesTests.code(in: Self.page).filter { $0.hasPrefix("textDocument/") }
    #expect(named.contains("textDocument/hover"))
    for method in named {
      let server = LanguageServer()
      for (id, name) in [(1, "initialize"), (2, method)] as [(Int64, String)] {
        server.receive(
          .message(Array(JSONWriter.compact(["id": .int(id), "method": .string(name), "params": [:]]).utf8)))
      }
      var answers: [Value] = []
      while server.isBusy { answers += server.work() }
      #expect(answers.last?[JSONPointer(["error", "code"])] == -32_602, "\(method) is known, and wants parameters")
    }
    let abilities = ServerAbilities.result(for: ClientAbilities(.null)).member("capabilities")
    guard case .map(let map)? = abilities else {
      Issue.record("there are no abilities")
      return
    }
    for case .string(let ability) in map.keys where ability.hasSuffix("Provider") {
      let request = String(ability.dropLast("Provider".count))
      let isNamed = named.contains { request.lowercased().hasSuffix($0.dropFirst("textDocument/".count).lowercased()) }
      #expect(isNamed, "\(ability)")
    }
  }

  @Test("Settings that are JSON are JSON, and all set-ups start the server")
  func settings() throws {
    let settings = Self.blocks.filter { $0.language == "jsonc" }
    #expect(settings.count == 3)
    for block in settings { _ = try JSONDocument(reading: block.text, file: block.description) }
    let setUps = Self.blocks.filter { ["jsonc", "lua", "toml", "elisp"].contains($0.language) }
    for block in setUps where !block.text.contains("json.schemas") {
      #expect(block.text.contains("streamrun"), "\(block)")
      #expect(block.text.contains("lsp"), "\(block)")
    }
    #expect(Set(setUps.map(\.language)).count == 4)
  }

  @Test("The schema in the editors page exists, and the scripts are made as described")
  func paths() {
    #expect(!Fixture.read(Fixture.package + "/Schemas/stream.schema.json").isEmpty)
    let lines = Self.blocks.filter { $0.language == "sh" }.flatMap { $0.text.split(separator: "\n") }
    #expect(lines.count == 3)
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      let outcome = Subprocess.run(Array(words[1...2]))
      #expect(outcome.code == 0 && !outcome.output.isEmpty, "\(line)")
    }
  }
}
