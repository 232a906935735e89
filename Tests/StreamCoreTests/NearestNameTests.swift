import StreamCore
import Testing

@Suite("Did you mean")
struct NearestNameTests {
  static let names = ["map", "filter", "first", "debounce", "removeDuplicates", "combineLatest", "merge", "count"]

  @Test(
    "Slips of the finger are forgiven",
    arguments: [
      ("fliter", "filter"), ("Filter", "filter"), ("REMOVEDUPLICATES", "removeDuplicates"), ("debouce", "debounce"),
      ("removeDuplicate", "removeDuplicates"), ("combinelatst", "combineLatest"), ("combineLates", "combineLatest"),
      ("mp", "map"),
      ("cuont", "count"), ("xyz", nil), ("", nil), ("m", nil), ("frobnicate", nil), ("mergee", "merge"),
    ] as [(String, String?)])
  func forgives(text: String, expected: String?) {
    let actual = nearestName(to: text, among: Self.names)
    #expect(actual == expected)
  }

  @Test("The nearest of several wins, the first of equals, and other case before all")
  func choosesNearest() {
    let nearest = nearestName(to: "filtr", among: ["flit", "filters", "filter"])
    #expect(nearest == "filter")
    let first = nearestName(to: "barn", among: ["yarn", "warn"])
    #expect(first == "yarn")
    let short = nearestName(to: "pow", among: ["now"])
    #expect(short == nil)
    let folded = nearestName(to: "CAT", among: ["cut", "cat"])
    #expect(folded == "cat")
  }

  @Test("Very long names are not compared")
  func refusesLongNames() {
    let name = nearestName(to: String(repeating: "a", count: 10_000), among: ["a"])
    #expect(name == nil)
  }

  @Test("A long list of names is shortened, and its first thousand names are compared")
  func manyNames() {
    let names = (0..<2_000).map { "name\($0)" }
    #expect(Array(names.prefix(3)).listed == "name0, name1, name2")
    #expect(names.listed.hasSuffix("name98, name99 and 1900 more"))
    #expect(nearestName(to: "nmae500", among: names) == "name500")
    #expect(nearestName(to: "nmae1500", among: names) != "name1500")
  }
}
