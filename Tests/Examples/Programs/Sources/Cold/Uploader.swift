import StreamKit

/// Uploads files in chunks, one at a time. A chunk that fails is sent again after 1, 2 and 4 seconds.
public struct Uploader: Sendable {
  public struct Upload: Codable, Sendable {
    public var name: String
    public var chunks: Int
    public init(name: String, chunks: Int) { (self.name, self.chunks) = (name, chunks) }
  }

  public struct Chunk: Codable, Sendable, Equatable {
    public var name: String
    public var index: Int
  }

  public enum Progress: Decodable, Sendable, Equatable {
    case sent(name: String, chunk: Int, of: Int)
    case failed(name: String, reason: String)
  }

  public let uploads = PassthroughInput<Upload>()
  private let stream: LiveStream

  private static let rules = """
    {
      "inputs": { "uploads": { "type": { "name": "string", "chunks": "int" } } },
      "source": { "input": { "name": "uploads" } },
      "operators": [
        { "flatMap": { "strategy": "concat", "stream": {
          "source": { "sequence": {
            "expression": "lists.range(outer.chunks).map(i, {'name': outer.name, 'index': i, 'of': outer.chunks})"
          } },
          "operators": [
            { "flatMap": { "strategy": "concat", "stream": {
              "source": { "call": { "function": "send", "argument": "{'name': outer.name, 'index': outer.index}" } },
              "operators": [
                { "retry": { "count": 3, "seconds": 1, "factor": 2 } },
                { "map": { "expression": "{'sent': {'name': outer.name, 'chunk': outer.index + 1, 'of': outer.of}}" } }
              ]
            } } },
            { "replaceError": { "expression": "{'failed': {'name': outer.name, 'reason': error.message}}" } }
          ]
        } } }
      ]
    }
    """

  public init(send: @escaping @Sendable (Chunk) async throws -> Void) throws {
    var services = HostServices()
    services.function("send", send)
    stream = try LiveStream(StreamModel(parsing: Self.rules), inputs: ["uploads": uploads], services: services)
  }

  public func progress<C: Clock>(clock: C = ContinuousClock()) -> StreamValues<Progress> where C.Duration == Duration {
    stream.values(of: Progress.self, clock: clock)
  }
}
