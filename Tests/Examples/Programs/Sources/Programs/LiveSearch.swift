import StreamKit

/// A search field: a pause in the typing starts a search, and a newer search cancels the one before.
public struct LiveSearch: Sendable {
  public let query = PassthroughInput<String>()
  private let stream: LiveStream

  private static let rules = """
    {
      "inputs": { "query": { "type": "string" } },
      "source": { "input": { "name": "query" } },
      "operators": [
        { "debounce": { "seconds": 0.3 } },
        { "removeDuplicates": {} },
        { "switchMap": { "stream": {
          "source": { "call": { "function": "find", "argument": "outer" } },
          "operators": [ { "replaceError": { "with": [] } } ]
        } } }
      ]
    }
    """

  public init(find: @escaping @Sendable (String) async throws -> [String]) throws {
    var services = HostServices()
    services.function("find", find)
    stream = try LiveStream(StreamModel(parsing: Self.rules), inputs: ["query": query], services: services)
  }

  /// The results of the newest search.
  public func results<C: Clock>(clock: C = ContinuousClock()) -> StreamValues<[String]> where C.Duration == Duration {
    stream.values(of: [String].self, clock: clock)
  }
}
