import Foundation
import StreamKit

/// The app's own types, in and out of a stream.
public struct Order: Codable, Equatable, Sendable {
  public enum State: String, Codable, Sendable { case open, paid }

  public var id: Int
  public var placed: Date
  public var page: URL
  public var total: Decimal
  public var state: State
  public var note: String?

  public init(id: Int, placed: Date, page: URL, total: Decimal, state: State, note: String? = nil) {
    self.id = id
    self.placed = placed
    self.page = page
    self.total = total
    self.state = state
    self.note = note
  }
}

public struct Invoice: Codable, Equatable, Sendable {
  public var order: Order
  public var due: Date
  public var discounted: Decimal?
}

public struct Orders: Sendable {
  public static let rules = StreamModel(
    inputs: ["orders": InputDeclaration()], source: .input("orders"),
    operators: [
      .filter("value.state == 'open'"),
      .map(
        """
        {'order': value, 'due': value.placed + duration('336h'),
         'discounted': has(value.note) ? dyn(null) : dyn(value.total * 0.5)}
        """),
    ])

  public let orders = PassthroughInput<Order>()

  public init() {}

  public func invoices() throws -> StreamValues<Invoice> {
    try LiveStream(Self.rules, inputs: ["orders": orders]).values(of: Invoice.self)
  }
}
