import StreamCombine
import StreamKit

/// Sells a stock when its price in dollars has fallen by a share of its highest price.
///
/// The price in euros and the exchange rate are two publishers of the app.
public final class StopLoss {
  public struct Sale: Decodable, Sendable, Equatable {
    public var highest: Double
    public var price: Double
  }

  public private(set) var sale: Sale?
  private var subscription: AnyCancellable?

  /// The declared function `money.cents` rounds to two digits, with ties to even.
  private static let options: CompileOptions = {
    var host = StreamHost()
    host.expressionFunctions = [
      FunctionDeclaration(name: "money.cents", overloads: [Signature("money.cents", [.double], .double)]) {
        arguments throws(EvaluationError) in
        guard case .double(let amount) = arguments[0] else { return .null }
        return .double((amount * 100).rounded(.toNearestOrEven) / 100)
      }
    ]
    return CompileOptions(host: host)
  }()

  private static func rules(loss: Double) -> StreamModel {
    StreamModel(
      inputs: ["euros": InputDeclaration(type: .double), "rate": InputDeclaration(type: .double)],
      source: .input("euros"),
      operators: [
        .combineLatest(with: ["rate"], names: ["euros", "rate"], expression: "money.cents(euros * rate)"),
        .scan(["highest": 0.0, "price": 0.0], "{'highest': math.greatest(acc.highest, value), 'price': value}"),
        PlacedOperator(.first(.init(expression: CELExpression("value.price <= value.highest * (1.0 - \(loss))")))),
      ])
  }

  /// - Parameter loss: The share of the highest price, from 0 to 1.
  public init<P: Publisher, R: Publisher>(euros: P, rate: R, loss: Double) throws
  where P.Output: Encodable & Sendable, R.Output: Encodable & Sendable {
    let stream = try LiveStream(
      Self.rules(loss: loss), inputs: ["euros": euros.streamFeed(), "rate": rate.streamFeed()], options: Self.options)
    subscription = stream.publisher(of: Sale.self, delivery: .immediate)
      .sink(onWeak: self) { stopLoss, sale in stopLoss.sale = sale }
  }
}
