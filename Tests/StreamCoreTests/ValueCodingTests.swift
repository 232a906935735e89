import Foundation
@_spi(Engine) import StreamCore
import StreamTesting
import Testing

@Suite("Coding types as values")
struct ValueCodingTests {
  enum Mode: String, Codable, CaseIterable { case fail, skip }

  enum Shape: Codable, Equatable {
    case circle(radius: Double)
    case square(side: Int)
  }

  struct Inner: Codable, Equatable {
    var seconds: Double
    var count: Int?
  }

  struct Outer: Codable, Equatable {
    var zebra: String
    var apple: [Inner]
    var mode: Mode
    var shape: Shape
    var table: [String: Bool]
    var data: [UInt8]
    var at: Timestamp
    var wait: Duration
    var any: Value
    var small: UInt8
  }

  /// A type that throws its own error, with a relative pointer.
  struct Positive: Codable {
    var number: Double

    init(from decoder: any Decoder) throws {
      number = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .number)
      if number <= 0 { throw Diagnostic(.outOfRange, "not positive", at: JSONPointer(["number"])) }
    }
  }

  let outer = Outer(
    zebra: "z", apple: [Inner(seconds: 1, count: nil), Inner(seconds: 2.5, count: 3)], mode: .skip,
    shape: .circle(radius: 2), table: ["k": true], data: [1, 2], at: Timestamp(seconds: 1), wait: .seconds(1),
    any: [1: .bytes([3])], small: 200)

  @Test("A field for any value distinguishes null from absence")
  func nullIsAValue() throws {
    struct Field: Codable {
      var any: Value?
      var count: Int?
    }
    let null = try ValueDecoder().decode(Field.self, from: ["any": .null, "count": .null])
    let absent = try ValueDecoder().decode(Field.self, from: [:])
    let written = try ValueEncoder().encode(null)
    #expect(null.any == .some(.null))
    #expect(null.count == nil)
    #expect(absent.any == nil)
    #expect(written == ["any": .null])
  }

  @Test("Types become values with their keys in order, and come back")
  func roundTrips() throws {
    let value = try ValueEncoder().encode(outer)
    let expected: Value = [
      "zebra": "z", "apple": [["seconds": 1.0], ["seconds": 2.5, "count": 3]], "mode": "skip",
      "shape": ["circle": ["radius": 2.0]], "table": ["k": true], "data": .bytes([1, 2]),
      "at": .timestamp(Timestamp(seconds: 1)), "wait": .duration(.seconds(1)), "any": [1: .bytes([3])],
      "small": .uint(200),
    ]
    #expect(value == expected)
    guard case .map(let map) = value, case .map(let wanted) = expected else { return }
    #expect(map.keys == wanted.keys)
    let back = try ValueDecoder().decode(Outer.self, from: value)
    #expect(back == outer)
  }

  @Test("The JSON form of bytes, timestamps and durations is read too")
  func readsJSONForms() throws {
    var plain = outer
    plain.any = ["a": [1, .null]]
    let text = JSONWriter.compact(try ValueEncoder().encode(plain))
    let value = try document(text).value
    let back = try ValueDecoder().decode(Outer.self, from: value)
    #expect(back == plain)
  }

  private func error<T: Decodable>(_ type: T.Type, _ value: Value) -> Diagnostic? {
    Result { () throws(Diagnostic) in try ValueDecoder().decode(type, from: value) }.failure
  }

  @Test("Errors show the expected and the found value with its place")
  func tellsErrors() {
    let errors = [
      error(Inner.self, ["seconds": "1"]), error(Inner.self, [:]), error(Inner.self, 1),
      error([Inner].self, [["seconds": 1], ["seconds": 1, "count": 1.0]]), error(Mode.self, "skipp"),
      error([String: Mode].self, ["a": "x"]), error(Shape.self, ["circle": ["radius": true]]),
      error(Shape.self, ["square": [:]]), error(UInt8.self, 300), error(Double.self, 9_007_199_254_740_993),
      error([Positive].self, [["number": 1], ["number": 0]]), error([UInt8].self, "?"), error(Timestamp.self, "x"),
      error([[Int]].self, [[1], [2, "x"]]), error(Bool.self, .null), error(Int.self, .uint(.max)),
    ].map { $0.map { "\($0.code.rawValue) \($0.pointer): \($0.message)" } ?? "none" }
    #expect(
      errors == [
        "S102 /seconds: expected a number, found a string", "S103 /seconds: the field 'seconds' is missing",
        "S102 : expected an object, found an integer", "S102 /1/count: expected an integer, found a number",
        "S104 : 'skipp' is not one of fail, skip", "S104 /a: 'x' is not one of fail, skip",
        "S102 /circle/radius: expected a number, found a Boolean", "S103 /square/side: the field 'side' is missing",
        "S104 : 300 is outside 0…255", "S104 : 9007199254740993 cannot be represented exactly as a double",
        "S104 /1/number: not positive",
        "S102 : expected bytes in base64, found a string",
        "S102 : expected a timestamp such as 2024-01-31T12:00:00Z, found a string",
        "S102 /1/1: expected an integer, found a string", "S102 : expected a Boolean, found null",
        "S104 : 18446744073709551615 is outside -9223372036854775808…9223372036854775807",
      ])
    let help = error(Mode.self, "skipp")?.help
    #expect(help == "did you mean 'skip'?")
  }

  @Test("A type that collects its errors reports all of them")
  func collects() {
    struct Both: Decodable {
      init(from decoder: any Decoder) throws {
        throw Diagnostics([
          Diagnostic(.outOfRange, "one", at: JSONPointer(["a"])),
          Diagnostic(.outOfRange, "two", at: JSONPointer(["b"])),
        ])
      }
    }
    let errors = Result { () throws(Diagnostics) in try ValueDecoder().decodeAll([Both].self, from: [1]) }.failure
    let pointers = errors?.all.map(\.pointer.description)
    #expect(pointers == ["/0/a", "/0/b"])
  }

  @Test("The tagged form is JSON and loses nothing, for 20,000 random values")
  func tagsLosslessly() throws {
    var random = SeededGenerator(seed: 13)
    var reader = JSONReader()
    var failures = 0
    for _ in 0..<20_000 {
      let value = random.value(depth: 3)
      let tagged = try value.taggedForJSON
      let back = try Value(taggedForJSON: try reader.read(JSONWriter.compact(tagged)))
      let isSame = back == value && JSONWriter.compact(back) == JSONWriter.compact(value)
      if !isSame { failures += 1 }
    }
    #expect(failures == 0)
  }

  @Test("Values are plain JSON to a coder that does not know them")
  func codesThroughFoundation() throws {
    let value: Value = [
      "null": .null, "list": [true, 1, -2.5, "é", []], "map": ["b": 1, "a": [:]], "uint": .uint(.max),
      "dollar": ["$uint": 1],
    ]
    let back = try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    #expect(back == value)
    // A value without a JSON form is the string that the JSON writer writes.
    let others: Value = [.bytes([1]), .duration(.milliseconds(1)), .double(.nan), [1: 2]]
    let data = try JSONEncoder().encode(others)
    #expect(String(decoding: data, as: UTF8.self) == JSONWriter.compact(others))
    let timestamp = try JSONDecoder().decode([Timestamp].self, from: JSONEncoder().encode([Timestamp(seconds: 5)]))
    #expect(timestamp == [Timestamp(seconds: 5)])
  }

  @Test("The tags are the documented ones")
  func hasTags() throws {
    let value: Value = [
      .uint(5), .bytes([1]), .timestamp(Timestamp(seconds: 0)), .duration(.milliseconds(1500)), .double(.nan), [1: 2],
      ["$uint": 1], ["$a": 1, "b": 2],
    ]
    let text = JSONWriter.compact(try value.taggedForJSON)
    #expect(
      text == #"[{"$uint":"5"},{"$bytes":"AQ=="},{"$timestamp":"1970-01-01T00:00:00Z"},{"$duration":"1.5s"},"#
        + #"{"$double":"NaN"},{"$map":[[1,2]]},{"$map":[["$uint",1]]},{"$a":1,"b":2}]"#)
  }

  @Test(
    "A tag that is none is refused where it stands",
    arguments: [#"{"$x":1}"#, #"{"$uint":5}"#, #"{"$uint":"-1"}"#, #"{"$map":[[1]]}"#, #"{"$bytes":"?"}"#])
  func refusesTags(text: String) throws {
    let value = try document("[\(text)]").value
    let error = Result { () throws(Diagnostic) in try Value(taggedForJSON: value) }.failure
    #expect(error?.code == .wrongType)
    #expect(error?.pointer.tokens.first == "0")
    #expect(error?.part == .key)
  }
}
