import Testing

/// `Documentation/Operators.md` is what the program prints. `UPDATE_GOLDEN=1 swift test` writes it anew.
@Suite struct ReferencePageTests {
  static let path = Fixture.package + "/Documentation/Operators.md"

  @Test("The page of all operators and sources is fresh")
  func isFresh() {
    let printed = Subprocess.run(["operators", "--format", "markdown"])
    if BrokenFileTests.updates { Fixture.write(printed.output, to: Self.path) }
    let page = Fixture.read(Self.path)
    #expect(printed.code == 0)
    #expect(printed.output == page, "write it anew: streamrun operators --format markdown > Documentation/Operators.md")
  }

  @Test("The section of one is the page's own")
  func section() {
    let section = Subprocess.run(["operators", "debounce", "--format", "markdown"]).output
    #expect(section.hasPrefix("### debounce\n\nPublishes a value once"))
    #expect(Fixture.read(Self.path).contains(section))
  }
}
