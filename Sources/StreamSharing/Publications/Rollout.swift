public import CEL
public import StreamCore

/// The clients that take a candidate. Each client decides for itself, always alike.
public struct Rollout: Hashable, Sendable {
  /// Percentage of the clients, 0 to 100. Metadata have no fractions. Raising it takes no client out.
  public var percent: Int
  /// A text that selects the clients: rollouts with the same salt select the same ones.
  public var salt: String
  /// A condition over the client, such as `client.platform == 'ios'`; nil for all clients.
  public var condition: CELExpression?

  public init(percent: Int, salt: String, where condition: CELExpression? = nil) {
    self.percent = percent
    self.salt = salt
    self.condition = condition
  }

  init(_ rollout: MetadataReader) throws(TrustError) {
    percent = Int(try rollout["percent"].integer(in: 0...100))
    salt = try rollout["salt"].text
    condition = try rollout.optional("where").map { reader throws(TrustError) in CELExpression(try reader.text) }
  }

  var json: Value {
    var map = ValueMap([("percent", .int(Int64(percent))), ("salt", .string(salt))])
    if let condition { map = map.setting("where", .string(condition.text)) }
    return .map(map)
  }

  /// Reads of attributes that no client has, for people, with the nearest name.
  ///
  /// - Parameter attributes: The names that clients have sent. Without any, nothing is known.
  package func warnings(knowing attributes: Set<String>) -> [String] {
    guard !attributes.isEmpty, let names = condition?.fieldsRead(of: "client") else { return [] }
    return names.subtracting(attributes).subtracting([Self.id]).sorted().map { name in
      let near = nearestName(to: name, among: attributes.sorted() + [Self.id])
      return "no client has reported an attribute '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? "")
    }
  }

  /// The member of `client` that each client has.
  fileprivate static let id = "id"

  /// The number of buckets that clients fall into.
  static let bucketCount: UInt64 = 10_000

  /// The bucket of a client: the first 8 bytes of SHA-256(salt, ":", ID) as a big-endian number, modulo 10,000.
  static func bucket(of client: String, salt: String) -> UInt64 {
    var digest = ContentDigest()
    digest.update("\(salt):\(client)")
    return digest.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } % bucketCount
  }

  /// Whether a client is among those that take the candidate.
  ///
  /// A condition that fails, for example since the client has no such attribute, is not fulfilled.
  func selects(_ client: SharingClient) throws(Diagnostics) -> Bool {
    guard Self.bucket(of: client.id, salt: salt) < UInt64(max(percent, 0)) * Self.bucketCount / 100 else {
      return false
    }
    guard let condition else { return true }
    return try client.fulfills(condition)
  }
}

/// The properties of a client that the conditions of rollouts can use.
public struct SharingClient: Hashable, Sendable {
  /// An opaque name of this installation, which stays the same; never a name of a person.
  public var id: String
  /// The members of `client` in conditions, for example `platform` and `build`.
  public var attributes: ValueMap

  public init(id: String, attributes: ValueMap = ValueMap()) {
    self.id = id
    self.attributes = attributes
  }

  /// Evaluates a condition over `client`.
  ///
  /// - Throws: The diagnostics of an invalid expression.
  func fulfills(_ condition: CELExpression) throws(Diagnostics) -> Bool {
    let plan = try condition.plan(in: ExpressionEnvironment(variables: [Variable("client")]))
    let activation = Activation(slotCount: 1)
    activation.set(.map(attributes.setting(Rollout.id, .string(id))), at: 0)
    return (try? plan.evaluate(activation)) == .bool(true)
  }
}
