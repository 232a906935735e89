import StreamFiles
import Testing

@Suite struct PrometheusTextTests {
  @Test("Labels are sorted, and their backslashes, quotes and line breaks are escaped")
  func labels() {
    var text = PrometheusText(prefix: "p")
    text.add("seen", .counter, "Things seen.", [(["b": "a\\b\"c\nd", "a": "1"], 3), ([:], 0.5)])
    #expect(
      text.text == """
        # HELP p_seen Things seen.
        # TYPE p_seen counter
        p_seen{a="1",b="a\\\\b\\"c\\nd"} 3
        p_seen 0.5

        """)
  }

  @Test("A metric without values is left out, and numbers are those of Prometheus")
  func numbers() {
    var text = PrometheusText(prefix: "p")
    text.add("none", .gauge, "Nothing.", nil)
    text.add("empty", .gauge, "Nothing.", [])
    for (name, number) in [("a", Double.nan), ("b", .infinity), ("c", -.infinity), ("d", 1e15)] {
      text.add(name, .gauge, "A number.", number)
    }
    let lines = text.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines == ["p_a NaN", "p_b +Inf", "p_c -Inf", "p_d 1000000000000000"])
  }
}
