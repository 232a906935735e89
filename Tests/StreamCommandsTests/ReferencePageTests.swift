import StreamKit
import TestSupport
import Testing

@testable import StreamCommands

/// The pages of operators and sources, and the lists of them in other pages, are generated from the tables.
/// `UPDATE_GOLDEN=1 swift test` writes them.
@Suite struct ReferencePageTests {
  static let files = CataloguePage(entries: CatalogueEntry.all).files

  @Test("A page of operators or sources is fresh", arguments: files.map(\.name))
  func isFresh(_ name: String) throws {
    let generated = try #require(Self.files.first { $0.name == name }).text + "\n"
    let path = "\(Fixture.package)/Sources/StreamKit/StreamKit.docc/\(name)"
    if BrokenFileTests.updates { Fixture.write(generated, to: path) }
    let page = Fixture.read(path)
    #expect(generated == page, "run the tests with UPDATE_GOLDEN=1")
  }

  @Test("Every operator and every source has its section on one of the pages")
  func everySection() {
    let headings = Self.files.flatMap { $0.text.split(separator: "\n").filter { $0.hasPrefix("## ") } }
    for entry in CatalogueEntry.all {
      let count = headings.count { $0.dropFirst(3) == entry.spec.name }
      #expect(count == 1, "\(entry.spec.name)")
    }
  }

  @Test("The page of functions is fresh")
  func functionsAreFresh() {
    let path = "\(Fixture.package)/Sources/CEL/CEL.docc/\(FunctionPage.name)"
    if BrokenFileTests.updates { Fixture.write(FunctionPage.text + "\n", to: path) }
    #expect(FunctionPage.text + "\n" == Fixture.read(path), "run the tests with UPDATE_GOLDEN=1")
  }

  @Test("The command describes a function, and suggests the intended one")
  func functions() {
    let list = Subprocess.run(["functions"])
    #expect(list.code == 0)
    let one = Subprocess.run(["functions", "substring"])
    #expect(one.output.hasPrefix("substring (strings)\n  The part from a start index"))
    #expect(one.output.contains("  string.substring(int, int) -> string\n"))
    #expect(one.output.contains("'hello'.substring(1, 3)  →  'el'"))
    let foreign = Subprocess.run(["functions", "toUpperCase"])
    #expect(foreign.code == 2)
    #expect(foreign.errors.contains("did you mean 'uppercased'?"))
  }

  @Test("The lists between markers of a page are fresh", arguments: Set(GeneratedList.all.map(\.page)))
  func listsAreFresh(_ name: String) {
    let path = "\(Fixture.package)/\(DocumentationPages.path(of: name))"
    let page = Fixture.read(path)
    var updated = page
    for list in GeneratedList.all where list.page == name {
      let next = list.updating(updated)
      #expect(next != nil, "the page has no markers '\(list.begin)' and '\(list.end)'")
      updated = next ?? updated
    }
    if BrokenFileTests.updates { Fixture.write(updated, to: path) }
    #expect(BrokenFileTests.updates || updated == page, "run the tests with UPDATE_GOLDEN=1")
  }

  @Test("The command prints the section of one operator, and all of them as one page")
  func command() {
    let section = Subprocess.run(["operators", "debounce", "--format", "markdown"]).output
    #expect(section.hasPrefix("### debounce\n\n"))
    #expect(Self.files.contains { ($0.text + "\n").contains(section.dropFirst()) })
    let page = Subprocess.run(["operators", "--format", "markdown"])
    #expect(page.code == 0)
    #expect(page.output.contains(section))
  }
}
