import StreamKit

/// A total whose rules change while the app runs.
public final class RunningTotal: Sendable {
  public let amounts = PassthroughInput<Int>()
  private let stream: ChangingStream

  public init(rules: StreamModel) throws { stream = try ChangingStream(rules, inputs: ["amounts": amounts]) }

  public var totals: ChangingStream.Values<Int> { stream.values(of: Int.self) }

  /// Follows new rules, and returns a report of the state that was kept or lost.
  public func follow(_ rules: StreamModel) async throws -> String? {
    try await stream.swap(to: rules)?.description
  }

  /// Adds up the amounts, each times a factor.
  public static func rules(factor: Int) -> StreamModel {
    var total = PlacedOperator.scan(0, CELExpression("acc + value * \(factor)"))
    total.id = "total"
    return StreamModel(
      inputs: ["amounts": InputDeclaration(type: .int)], source: .input("amounts"), operators: [total])
  }
}
