import Foundation
import StreamCore
import Testing

/// The forms in which `ValueCoding` encodes an app's types.
@Suite("Forms of an app's types")
struct ValueFormTests {
  struct Order: Codable, Hashable {
    var placedAt: Date
    var unitPrice: Decimal
    var receiptImage: Data
    var itemCounts: [String: Int]
    var linesInOrder: [Line]
    var shippedAt: Date?
  }

  struct Line: Codable, Hashable {
    var productID: String
  }

  private let order = Order(
    placedAt: Date(timeIntervalSince1970: 1.5), unitPrice: Decimal(string: "12345678901234567.89") ?? 0,
    receiptImage: Data([1, 2, 255]), itemCounts: ["newHat": 2], linesInOrder: [Line(productID: "a")])

  @Test("Every form is encoded as it says, and decoded again")
  func forms() throws {
    let coding = ValueCoding(dates: .millisecondsSince1970, decimals: .text, data: .base64, keys: .snakeCase)
    let value = try Value(encoding: order, coding: coding)
    #expect(
      value == [
        "placed_at": .double(1_500), "unit_price": "12345678901234567.89", "receipt_image": "AQL/",
        "item_counts": ["newHat": 2], "lines_in_order": [["product_id": "a"]],
      ])
    #expect(try value.decoded(as: Order.self, coding: coding) == order)
    #expect(try Value(encoding: order.placedAt, coding: ValueCoding(dates: .secondsSince1970)) == .double(1.5))
    #expect(
      try Value(encoding: order.placedAt, coding: ValueCoding(dates: .iso8601)) == "1970-01-01T00:00:01.500Z")
  }

  @Test(
    "Dates of every form are read from timestamps and text",
    arguments: [ValueCoding.DateForm.timestamp, .iso8601, .secondsSince1970, .millisecondsSince1970])
  func dates(_ form: ValueCoding.DateForm) throws {
    let coding = ValueCoding(dates: form)
    let date = Date(timeIntervalSince1970: -86_399.75)
    #expect(try Value(encoding: date, coding: coding).decoded(as: Date.self, coding: coding) == date)
    #expect(
      try Value.string("1970-01-02T00:00:00Z").decoded(as: Date.self, coding: coding)
        == Date(timeIntervalSince1970: 86_400))
    #expect(
      try Value.timestamp(Timestamp(seconds: 7)).decoded(as: Date.self, coding: coding)
        == Date(timeIntervalSince1970: 7))
  }

  @Test(
    "Keys become snake case by words",
    arguments: [
      ("unitPrice", "unit_price"), ("productID", "product_id"), ("myURLProperty", "my_url_property"), ("a", "a"),
      ("_hidden", "_hidden"), ("already_so", "already_so"), ("item2Count", "item2_count"), ("URL", "url"), ("", ""),
    ])
  func keys(_ key: String, _ name: String) throws {
    struct Named: Codable {
      var value: Int
      var name: String

      struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
      }

      init(_ name: String) { (self.name, value) = (name, 1) }

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        name = container.allKeys[0].stringValue
        value = try container.decode(Int.self, forKey: Key(stringValue: name))
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(value, forKey: Key(stringValue: name))
      }
    }
    let coding = ValueCoding(keys: .snakeCase)
    let value = try Value(encoding: Named(key), coding: coding)
    #expect(value[name]?.int == 1)
    #expect(try value.decoded(as: Named.self, coding: coding).value == 1)
  }

  @Test("An error names the member as the value has it")
  func errors() throws {
    let coding = ValueCoding(keys: .snakeCase)
    let missing = #expect(throws: Diagnostic.self) { try Value.map(ValueMap()).decoded(as: Line.self, coding: coding) }
    #expect(missing?.message == "the field 'product_id' is missing")
    let wrong = #expect(throws: Diagnostic.self) {
      try (["product_id": 3] as Value).decoded(as: Line.self, coding: coding)
    }
    #expect(wrong?.pointer.description == "/product_id")
  }

  /// A type with a container in each of its members, a key that is encoded twice, and its base in `super`.
  struct Nested: Encodable {
    enum Key: String, CodingKey { case list, map, twice, empty }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      var map = container.nestedContainer(keyedBy: Key.self, forKey: .map)
      try container.encode(1, forKey: .twice)
      try list.encode(1)
      try map.encode("m", forKey: .list)
      try list.encodeNil()
      var inner = list.nestedUnkeyedContainer()
      try inner.encode([2, 3])
      try container.encode(2, forKey: .twice)
      try Line(productID: "b").encode(to: container.superEncoder())
      try container.encodeNil(forKey: .empty)
    }
  }

  @Test("Containers are filled in any order; a member encoded twice has the later value")
  func containers() throws {
    let expected: Value = [
      "list": [1, .null, [[2, 3]]], "map": ["list": "m"], "twice": 2, "super": ["productID": "b"], "empty": .null,
    ]
    // The second one knows the names of the first one.
    for _ in 0..<2 { #expect(try Value(encoding: Nested()) == expected) }
  }

  @Test("Members that are sometimes absent keep their order and values, from many threads")
  func absentMembers() async throws {
    struct Sparse: Codable, Hashable, Sendable {
      var a: Int?
      var b: String?
      var c: [Int]?
      var d: Bool
    }
    await withTaskGroup(of: Void.self) { group in
      for seed in 0..<4 {
        group.addTask {
          for round in 0..<500 {
            let bits = round &* (seed + 3)
            let sparse = Sparse(
              a: bits & 1 == 0 ? nil : bits, b: bits & 2 == 0 ? nil : "\(bits)", c: bits & 4 == 0 ? nil : [bits],
              d: bits & 8 == 0)
            guard let value = try? Value(encoding: sparse) else {
              Issue.record("\(sparse)")
              return
            }
            #expect(value.map?.count == 1 + (bits & 1) + (bits & 2) / 2 + (bits & 4) / 4)
            #expect((try? value.decoded(as: Sparse.self)) == sparse)
          }
        }
      }
    }
  }

  @Test("A dictionary of many keys comes back")
  func manyKeys() throws {
    let table = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("k\($0)", $0) })
    #expect(try Value(encoding: table).decoded(as: [String: Int].self) == table)
    #expect(try Value(encoding: [1: "a", 2: "b"]).decoded(as: [Int: String].self) == [1: "a", 2: "b"])
  }
}
