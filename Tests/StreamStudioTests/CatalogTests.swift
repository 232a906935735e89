import Testing

@testable import StreamStudio

@Suite struct CatalogTests {
  @Test func everyOperatorHasATemplate() {
    #expect(Catalog.value.member("operators") != nil)
  }
}
