import StreamCore
import StreamTesting
import Testing

/// The canonical form, RFC 8785. Numbers, order and escapes are the RFC's own samples.
@Suite struct CanonicalTests {
  static let numbers: [(bits: UInt64, text: String)] = [
    (0x0000_0000_0000_0000, "0"), (0x8000_0000_0000_0000, "0"), (0x0000_0000_0000_0001, "5e-324"),
    (0x8000_0000_0000_0001, "-5e-324"), (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
    (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"), (0x4340_0000_0000_0000, "9007199254740992"),
    (0xC340_0000_0000_0000, "-9007199254740992"), (0x4430_0000_0000_0000, "295147905179352830000"),
    (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"), (0x44B5_2D02_C7E1_4AF6, "1e+23"),
    (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"), (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
    (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"), (0x444B_1AE4_D6E2_EF50, "1e+21"),
    (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"), (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
    (0x41B3_DE43_5555_5553, "333333333.3333332"), (0x41B3_DE43_5555_5554, "333333333.33333325"),
    (0x41B3_DE43_5555_5555, "333333333.3333333"), (0x41B3_DE43_5555_5556, "333333333.3333334"),
    (0x41B3_DE43_5555_5557, "333333333.33333343"), (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
    (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
  ]

  private func canonical(_ value: Value) throws -> String {
    String(decoding: try JSONWriter.canonical(value), as: UTF8.self)
  }

  @Test("A double is written as ECMAScript writes it", arguments: numbers)
  func double(_ bits: UInt64, _ text: String) throws {
    let actual = try canonical(.double(Double(bitPattern: bits)))
    #expect(actual == text)
  }

  @Test("The written text reads back as the same double")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 8785)
    for _ in 0..<20_000 {
      let number = generator.double()
      let text = try canonical(.double(number))
      #expect(Double(text) == number, "\(number)")
    }
  }

  @Test("NaN and the infinities are refused", arguments: [Double.nan, .infinity, -.infinity])
  func noNumber(_ number: Double) {
    let error = #expect(throws: Diagnostics.self) { try JSONWriter.canonical(["a": [.double(number)]]) }
    #expect(error?.all.map(\.code) == [.numberOutOfRange])
    #expect(error?.all.map { "\($0.pointer)" } == ["/a/0"])
  }

  @Test("Keys are sorted by their UTF-16 code units")
  func order() throws {
    let keys = ["\u{20AC}", "\r", "\u{FB33}", "1", "\u{1F600}", "\u{80}", "\u{F6}"]
    let value = Value.map(ValueMap(keys.enumerated().map { (.string($1), .int(Int64($0))) }))
    let actual = try canonical(value)
    #expect(actual == "{\"\\r\":1,\"1\":3,\"\u{80}\":5,\"\u{F6}\":6,\"\u{20AC}\":0,\"\u{1F600}\":4,\"\u{FB33}\":2}")
  }

  @Test("Only what has to be is escaped, in the short form where there is one")
  func escapes() throws {
    let text = #"""
      {"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
       "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}
      """#
    let actual = try canonical(document(text).value)
    #expect(
      actual
        == #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
        + #""string":"€$\u000f\nA'B\"\\\\\"/"}"#)
    let controls = try canonical("\u{8}\u{9}\u{A}\u{C}\u{D}\u{0}\u{1F}\u{7F}")
    #expect(controls == "\"\\b\\t\\n\\f\\r\\u0000\\u001f\u{7F}\"")
  }

  @Test("An int without an exact double is refused, each with its place")
  func largeInts() throws {
    let text = #"{"small": 9007199254740991, "large": [-9007199254740991, 9007199254740992], "x/y": -9007199254740992}"#
    let read = try document(text)
    let error = #expect(throws: Diagnostics.self) { try read.contentID() }
    let found = error?.all.map { "\($0.code.rawValue) \($0.pointer) \($0.location?.column ?? 0)" }
    #expect(found == ["S006 /large/1 58", "S006 /x~1y 84"])
    let good = try canonical([.int(9_007_199_254_740_991), .int(-9_007_199_254_740_991)])
    #expect(good == "[9007199254740991,-9007199254740991]")
  }

  @Test("The id is the digest of the canonical form, however the text is written")
  func id() throws {
    let first = try document(#"{"b": 1.0, "a": [1e1]}"#).contentID()
    let second = try document("{ \"a\" : [ 10 ],\n \"\\u0062\": 1 }").contentID()
    // printf '{"a":[10],"b":1}' | sha256sum
    #expect(first == "sha256:\(Self.digest)")
    #expect(second == first)
  }

  static let digest = "3f3961b383691052bc25ce563ed26159fad078a185c1655f598e9df9d0d1847c"

  @Test("A value of any depth is written")
  func depth() throws {
    var value: Value = 1
    for _ in 0..<5_000 { value = [value] }
    let bytes = try JSONWriter.canonical(value)
    #expect(bytes.count == 10_001)
  }
}
