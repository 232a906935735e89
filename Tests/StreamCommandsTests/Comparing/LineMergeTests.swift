import Testing

@testable import StreamCommands

/// Texts are merged by their lines if they cannot be merged by what they mean.
@Suite struct LineMergeTests {
  private static func merge(
    _ base: String, _ ours: String, _ theirs: String, favoring side: Merge.Side? = nil
  ) -> (text: String, conflictCount: Int) {
    let merge = LineMerge(base: Array(base.utf8), ours: Array(ours.utf8), theirs: Array(theirs.utf8), favoring: side)
    return (String(decoding: merge.bytes, as: UTF8.self), merge.conflictCount)
  }

  @Test(
    "Changes in different places are all taken",
    arguments: [
      ("a\nb\nc\n", "a\nb\nc\n", "x\nb\nc\n", "x\nb\nc\n"), ("a\nb\nc\n", "x\nb\nc\n", "a\nb\ny\n", "x\nb\ny\n"),
      ("a\nb\nc\n", "b\nc\n", "a\nb\nc\nd", "b\nc\nd"), ("a\nb\n", "a\nx\nb\n", "a\nx\nb\n", "a\nx\nb\n"),
      ("", "", "a\n", "a\n"), ("a\nb\nc\nd\ne\n", "a\nc\nb\nd\ne\n", "a\nb\nc\nd\nf\n", "a\nc\nb\nd\nf\n"),
      ("{\n}\n{\n}\n", "{\nx\n}\n{\n}\n", "{\n}\n{\ny\n}\n", "{\nx\n}\n{\ny\n}\n"),
    ])
  func changes(_ base: String, _ ours: String, _ theirs: String, _ merged: String) {
    #expect(Self.merge(base, ours, theirs) == (merged, 0))
    #expect(Self.merge(base, theirs, ours) == (merged, 0))
  }

  @Test("Lines that both sides changed differently stand between markers, each on a line of its own")
  func conflicts() {
    #expect(
      Self.merge("a\nb\nc\n", "a\nx\nc\n", "a\ny\nc\n")
        == ("a\n<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\nc\n", 1))
    #expect(Self.merge("a", "b", "c") == ("<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n", 1))
    #expect(Self.merge("a\n", "", "b\n") == ("<<<<<<< ours\n=======\nb\n>>>>>>> theirs\n", 1))
    // Lines that both sides have added alike are not in conflict.
    #expect(Self.merge("", "a\nb\nd\n", "a\nc\nd\n") == ("a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\nd\n", 1))
    #expect(Self.merge("a\nb\n", "c\nb\n", "d\nb\n", favoring: .ours) == ("c\nb\n", 0))
    #expect(Self.merge("a\nb\n", "c\nb\n", "d\nb\n", favoring: .theirs) == ("d\nb\n", 0))
    #expect(Self.merge("a\n1\nb\n", "x\n1\ny\n", "v\n1\nw\n").conflictCount == 2)
  }

  @Test("No line of either side is lost, whatever the strings are")
  func anything() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let texts = (0..<3).map { _ in
        (0..<Int.random(in: 0..<12, using: &generator)).map { _ in "\(Int.random(in: 0..<5, using: &generator))\n" }
      }
      let (base, ours, theirs) = (texts[0].joined(), texts[1].joined(), texts[2].joined())
      #expect(Self.merge(base, ours, base) == (ours, 0))
      #expect(Self.merge(base, base, theirs) == (theirs, 0))
      #expect(Self.merge(base, ours, ours) == (ours, 0))
      // Without a base, the result has both sides in full.
      let merged = Self.merge("", ours, theirs).text
      var sides = (ours: "", theirs: "")
      var part = 0
      for line in merged.split(separator: "\n").map({ "\($0)\n" }) {
        switch line {
        case "<<<<<<< ours\n": part = 1
        case "=======\n": part = 2
        case ">>>>>>> theirs\n": part = 0
        default:
          if part != 2 { sides.ours += line }
          if part != 1 { sides.theirs += line }
        }
      }
      if !ours.isEmpty, !theirs.isEmpty { #expect(sides == (ours, theirs)) }
    }
  }

  @Test("Large strings without common lines take time in proportion to their size")
  func large() {
    func text(_ letter: String) -> String { (0..<100_000).map { "\(letter)\($0)\n" }.joined() }
    #expect(Self.merge(text("a"), text("b"), text("c")).conflictCount == 1)
  }
}
