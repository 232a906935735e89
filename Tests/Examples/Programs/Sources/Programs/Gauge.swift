import StreamCombine
import StreamKit

/// A gauge that publishers update; its publishers never fail.
public final class Gauge {
  @Published public private(set) var level = 0
  public private(set) var results: [Result<Int, StreamFailure>] = []
  public let liters = PassthroughInput<Int>()
  private var tokens: Set<AnyCancellable> = []

  public init() throws {
    let model = StreamModel(
      inputs: ["liters": InputDeclaration(type: .int)], source: .input("liters"), operators: [.map("100 / value")])
    let stream = try LiveStream(model, inputs: ["liters": liters])
    // A failure goes to `UnhandledFailure.handler`.
    stream.publisher(of: Int.self, delivery: .immediate).failures(.log).assign(to: &$level)
    stream.publisher(of: Int.self, delivery: .immediate).failures(.asValues)
      .sink { [weak self] in self?.results.append($0) }
      .store(in: &tokens)
  }
}
