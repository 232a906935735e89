import StreamCore
import Testing

@testable import StreamTools

/// The HTML file of a run.
@Suite struct RunPageTests {
  @Test("A title is text, also where an accent follows a character of HTML")
  func title() {
    let odd = "\"\u{301} onfocus=\"alert(1)\" <\u{301}b>&\u{301}\u{202E}"
    let html = RunPage(title: odd, run: ["a": "</script>\u{9B}\u{202E}"]).html
    let title = "&quot;\u{301} onfocus=&quot;alert(1)&quot; &lt;\u{301}b&gt;&amp;\u{301}\u{FFFD}"
    let element = "<main id=\"player\" aria-label=\"\(title)\"></main>"
    #expect(html.unicodeScalars.firstRange(of: element.unicodeScalars) != nil)
    #expect(html.contains(#"{"a":"\u003c/script>\u009b\u202e"}"#))
  }
}
