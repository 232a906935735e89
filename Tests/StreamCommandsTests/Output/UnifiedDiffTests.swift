import TestSupport
import Testing

@testable import StreamCommands

/// Differences between texts, line by line.
@Suite struct UnifiedDiffTests {
  private func diff(_ old: String, _ new: String) -> String { UnifiedDiff(old, new).text(old: "a", new: "b") }

  @Test("Equal texts have no difference")
  func same() {
    #expect(diff("a\nb\n", "a\nb\n") == "")
    #expect(diff("", "") == "")
  }

  @Test("Nearby changes are in one hunk, others apart")
  func hunks() {
    let old = (1...20).map { "\($0)\n" }.joined()
    let new = old.replacing("3\n", with: "three\n", maxReplacements: 1).replacing("\n18\n", with: "\n")
    #expect(
      diff(old, new)
        == """
        --- a
        +++ b
        @@ -1,6 +1,6 @@
         1
         2
        -3
        +three
         4
         5
         6
        @@ -15,6 +15,5 @@
         15
         16
         17
        -18
         19
         20

        """)
  }

  @Test("A text without a final line break, and an empty text, are marked")
  func ends() {
    #expect(diff("", "a\n") == "--- a\n+++ b\n@@ -0,0 +1 @@\n+a\n")
    #expect(diff("a\n", "") == "--- a\n+++ b\n@@ -1 +0,0 @@\n-a\n")
    #expect(
      diff("a", "a\n") == "--- a\n+++ b\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n")
  }

  @Test("`patch` creates the new text from the old one and the difference")
  func patch() {
    var seed: UInt64 = 1
    func next(_ limit: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % limit
    }
    for _ in 0..<20 {
      let folder = Fixture.Folder()
      var lines = (0..<next(40)).map { _ in "line \(next(6))\n" }
      let old = lines.joined()
      for _ in 0..<next(5) {
        if lines.isEmpty || next(2) == 0 {
          lines.insert("new \(next(6))\n", at: next(lines.count + 1))
        } else {
          lines.remove(at: next(lines.count))
        }
      }
      let new = lines.joined()
      folder.add("a", old)
      folder.add("d", diff(old, new))
      _ = Subprocess.shell("test ! -s d || patch -s a d", in: folder.path)
      #expect(Fixture.read(folder.path("a")) == new)
    }
  }
}
