import StreamCombine
import StreamKit

/// Evaluates feature flags for a user by rules from a server. The rules are not trusted: what they hold and how long
/// they calculate is limited.
public final class FeatureFlags {
  public struct User: Codable, Sendable {
    public var id: String
    public var country: String
    public init(id: String, country: String) { (self.id, self.country) = (id, country) }
  }

  public enum Answer: Equatable {
    case flags([String: Bool])
    case failed(String)
  }

  private let stream: LiveStream
  private let users = PassthroughInput<User>()

  /// - Parameter rules: The text of a stream file with an input `users`.
  public init(rules: String) throws {
    var services = HostServices()
    services.limits = RunLimits(budget: 10_000, memory: 100_000)
    var options = CompileOptions(services: services)
    options.expressionLimits.budget = 10_000
    stream = try LiveStream(
      StreamModel(checking: rules, file: "flags.json", options: options), inputs: ["users": users], services: services,
      options: options)
  }

  /// The flags of a user, or the reason why the rules have none.
  public func answer(for user: User) -> Answer? {
    var answer: Answer?
    let subscription = stream.publisher(of: [String: Bool].self, delivery: .immediate).failures(.asValues).sink {
      switch $0 {
      case .success(let flags): answer = .flags(flags)
      case .failure(let failure): answer = .failed(failure.code.description)
      }
    }
    users.send(user)
    subscription.cancel()
    return answer
  }

  /// A flag for a country, and one for a part of the users: the first byte of a hash, in percent of 256.
  public static func rules(percent: Int) -> String {
    """
    {
      "inputs": { "users": { "type": { "id": "string", "country": "string" } } },
      "source": { "input": { "name": "users" } },
      "operators": [
        { "map": { "expression": "cel.bind(hex, sha256('checkout:' + value.id), cel.bind(digits, '0123456789abcdef', \
          {'euro': value.country in ['DE', 'FR', 'IT'], 'checkout': 100 * \
          (digits.indexOf(hex.charAt(0)) * 16 + digits.indexOf(hex.charAt(1))) < \(percent) * 256}))" } }
      ]
    }
    """
  }
}
