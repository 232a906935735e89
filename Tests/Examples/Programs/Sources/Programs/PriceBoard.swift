import StreamKit

#if canImport(Observation)
import Observation

/// A model object of the main actor, which a stream updates.
@MainActor @Observable public final class PriceBoard {
  public private(set) var average = 0.0
  public private(set) var failure: String?
  @ObservationIgnored public let prices = PassthroughInput<Double>()

  public init() {}

  /// Follows the stream until it ends; a view does so in its `task`.
  public func follow(_ rules: StreamModel) async {
    do {
      for try await average in rules.values(of: Double.self, inputs: ["prices": prices]) { self.average = average }
    } catch {
      failure = "\(error)"
    }
  }
}
#endif
