import Cold
import Foundation
import Testing

@Suite("Cart", .timeLimit(.minutes(1)))
struct CartTests {
  @Test("Totals are exact, and follow the lines and the discounts")
  func totals() throws {
    let cart = try Cart()
    #expect(cart.totals == [:])
    cart.lines.send([
      Cart.Line("tea", Decimal(string: "4.10")!, count: 3), Cart.Line("cups", Decimal(string: "19.99")!),
      Cart.Line("tea", Decimal(string: "0.01")!),
    ])
    #expect(cart.totals == ["tea": Decimal(string: "12.31")!, "cups": Decimal(string: "19.99")!])
    cart.discounts.send(["tea": Cart.Discount(percent: 10, from: 10), "cups": Cart.Discount(percent: 50, from: 20)])
    #expect(cart.totals == ["tea": Decimal(string: "11.08")!, "cups": Decimal(string: "19.99")!])
  }
}
