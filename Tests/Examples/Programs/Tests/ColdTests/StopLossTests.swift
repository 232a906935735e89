import StreamCombine
import StreamKit
import Testing

@testable import Cold

@Suite("Stop-loss", .timeLimit(.minutes(1)))
struct StopLossTests {
  @Test("A fall of price and rate together sells, once")
  func sells() throws {
    let (euros, rate) = (PassthroughSubject<Double, Never>(), CurrentValueSubject<Double, Never>(1.10))
    let stopLoss = try StopLoss(euros: euros, rate: rate, loss: 0.1)
    euros.send(100)
    euros.send(95)
    #expect(stopLoss.sale == nil)
    rate.send(1.04)
    #expect(stopLoss.sale == StopLoss.Sale(highest: 110, price: 98.8))
    euros.send(10)
    #expect(stopLoss.sale?.price == 98.8)
  }

  @Test("A publisher of strings is not a price")
  func wrongFeed() {
    let error = #expect(throws: Diagnostics.self) {
      try StopLoss(euros: PassthroughSubject<String, Never>(), rate: PassthroughSubject<Double, Never>(), loss: 0.1)
    }
    #expect(error?.description.contains("euros") == true, "\(error?.description ?? "")")
  }
}
