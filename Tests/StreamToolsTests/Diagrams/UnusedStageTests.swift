import StreamCore
import StreamKit
import StreamTools
import TestSupport
import Testing

/// Stages of a picture without subscribers.
@Suite struct UnusedStageTests {
  private static let file = #"""
    {"source": {"sequence": {"values": [1, 2]}},
     "operators": [{"catch": {"stream": {"source": {"just": {"value": 0}}}}}, {"delay": {"seconds": 1}}]}
    """#

  @Test("No time passes on them")
  func unused() throws {
    var run = PictureRun(try stream(Self.file))
    run.showsStages = true
    let picture = try run.picture(of: StreamTest(name: "", expect: StreamTest.EventScript(.values([]))))
    #expect(picture.lanes.filter { !$0.isSubscribed }.map(\.title) == ["catch › just"])
    let lines = picture.text().split(separator: "\n").filter { $0.hasPrefix("catch › just") }
    #expect(lines.count == 1)
    #expect(lines.first?.hasSuffix("  (never subscribed to)") == true)
    #expect(picture.svg(title: "t").contains("(never subscribed to)"))
  }
}
