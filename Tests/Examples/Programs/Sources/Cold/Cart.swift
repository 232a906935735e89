import Foundation
import StreamCombine
import StreamKit

/// A shopping cart with totals by category. Discounts are data, so a campaign needs no release.
///
/// Prices are `Decimal` in the app and text in the stream, and the file calculates with cents.
public final class Cart {
  public struct Line: Codable, Sendable {
    public var category: String
    public var price: Decimal
    public var count: Int
    public init(_ category: String, _ price: Decimal, count: Int = 1) {
      (self.category, self.price, self.count) = (category, price, count)
    }
  }

  public struct Discount: Codable, Sendable {
    public var percent: Int
    public var from: Decimal
    public init(percent: Int, from: Decimal) { (self.percent, self.from) = (percent, from) }
  }

  private static let coding = ValueCoding(decimals: .text)
  public let lines = StreamInput([Line](), coding: Cart.coding)
  /// The discounts by category.
  public let discounts = StreamInput([String: Discount](), coding: Cart.coding)
  public private(set) var totals: [String: Decimal] = [:]
  private var subscription: AnyCancellable?

  private static let rules = """
    {
      "inputs": {
        "lines": { "type": [ { "category": "string", "price": "string", "count": "int" } ] },
        "discounts": { "type": "map(string, dyn)" }
      },
      "source": { "input": { "name": "lines" } },
      "operators": [
        { "combineLatest": { "with": [ "discounts" ], "names": [ "lines", "discounts" ] } },
        { "switchMap": { "stream": {
          "source": { "sequence": { "expression": "outer.lines" } },
          "operators": [
            { "groupBy": { "key": "value.category", "operators": [
              { "reduce": {
                "initialValue": 0, "expression": "acc + int(math.round(double(value.price) * 100.0)) * value.count"
              } },
              { "map": { "expression": "cel.bind(d, outer.discounts[?key], d.hasValue() \
                && value >= int(double(d.value().from) * 100.0) ? value - value * d.value().percent / 100 : value)" } },
              { "map": { "expression": "[key, value]" } }
            ] } },
            { "collectMap": { "key": "value[0]", "expression": "string(double(value[1]) / 100.0)" } }
          ]
        } } }
      ]
    }
    """

  public init() throws {
    let stream = try LiveStream(
      StreamModel(checking: Self.rules), inputs: ["lines": lines, "discounts": discounts],
      services: HostServices(coding: Self.coding))
    subscription = stream.publisher(of: [String: Decimal].self, delivery: .immediate)
      .assign(to: \.totals, onWeak: self)
  }
}
