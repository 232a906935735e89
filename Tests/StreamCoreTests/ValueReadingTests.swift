import Foundation
import StreamCore
import Testing

/// Types of an app as values, and values as types of an app.
@Suite("An app's types and values")
struct ValueReadingTests {
  struct Alert: Codable, Hashable {
    var at: Date
    var url: URL
    var price: Decimal
    var content: Data
    var parts: [Date]
    var id: UUID
  }

  private let alert = Alert(
    at: Date(timeIntervalSince1970: 1.5), url: URL(fileURLWithPath: "/a b"), price: Decimal(1) / 10,
    content: Data([1, 2, 255]), parts: [Date(timeIntervalSince1970: -0.25)], id: UUID())

  @Test("Foundation's types become values of CEL, and come back")
  func foundation() throws {
    let value = try Value(encoding: alert)
    #expect(value["at"] == .timestamp(Timestamp(seconds: 1, nanoseconds: 500_000_000)))
    #expect(value["url"] == .string("file:///a%20b"))
    #expect(value["price"] == .double(0.1))
    #expect(value["content"] == .bytes([1, 2, 255]))
    #expect(value["parts"]?[0] == .timestamp(Timestamp(seconds: -1, nanoseconds: 750_000_000)))
    #expect(try value.decoded(as: Alert.self) == alert)
    // Through JSON, where timestamps and bytes are strings.
    let text = try JSONDocument(reading: Array(JSONWriter.compact(value).utf8), file: "alert").value
    #expect(try text.decoded(as: Alert.self) == alert)
  }

  @Test("Dates are read from text and numbers, decimals from numbers and text")
  func texts() throws {
    #expect(try Value.int(3).decoded(as: Date.self) == Date(timeIntervalSince1970: 3))
    #expect(try Value.string("1970-01-01T00:00:02Z").decoded(as: Date.self) == Date(timeIntervalSince1970: 2))
    #expect(try Value.string("12.50").decoded(as: Decimal.self) == Decimal(25) / 2)
    #expect(try Value.int(Int64.max).decoded(as: Decimal.self) == Decimal(Int64.max))
    #expect(try Value(encoding: Decimal(7)) == .int(7))
    #expect(throws: EncodingError.self) { try Value(encoding: Date(timeIntervalSince1970: .infinity)) }
    #expect(throws: EncodingError.self) { try Value(encoding: Date(timeIntervalSince1970: 1e15)) }
    for date in [Date.distantPast, .distantFuture] {
      #expect(try Value(encoding: date).decoded(as: Date.self) == date)
    }
  }

  @Test("A value that is none of them is refused with what was expected")
  func refusals() {
    func message<Content: Decodable>(_ value: Value, _ type: Content.Type) -> String? {
      #expect(throws: Diagnostic.self) { _ = try value.decoded(as: type) }?.message
    }
    #expect(message("noon", Date.self)?.contains("a timestamp") == true)
    #expect(message(true, Decimal.self)?.contains("a finite number") == true)
    #expect(message(3, Data.self)?.contains("bytes in base64") == true)
    #expect(message([], URL.self)?.contains("a URL") == true)
  }

  @Test("Members and elements read like Swift")
  func members() {
    let value: Value = ["name": "a", "levels": [1, 2.5, true], "big": .uint(.max)]
    #expect(value["name"]?.string == "a")
    #expect(value["levels"]?[0]?.int == 1)
    #expect(value["levels"]?[1]?.double == 2.5)
    #expect(value["levels"]?[2]?.bool == true)
    #expect(value["levels"]?[3] == nil)
    #expect(value["levels"]?.list?.count == 3)
    #expect(value["big"]?.int == nil)
    #expect(value["none"] == nil)
    #expect(value.map?.keys.count == 3)
    #expect(value.int == nil)
  }
}
