import StreamCombine
import StreamKit

/// Lines that many threads write, and the main queue receives.
public final class ThreadedLog: Sendable {
  public struct Line: Codable, Hashable, Sendable {
    public var thread: Int
    public var number: Int

    public init(thread: Int, number: Int) {
      self.thread = thread
      self.number = number
    }
  }

  public let lines = PassthroughInput<Line>()
  private let stream: LiveStream

  public init() throws {
    let model = StreamModel(inputs: ["lines": InputDeclaration()], source: .input("lines"))
    stream = try LiveStream(model, inputs: ["lines": lines])
  }

  /// Calls both closures on the main queue.
  public func receive(_ line: @escaping (Line) -> Void, end: @escaping () -> Void) -> AnyCancellable {
    stream.publisher(of: Line.self).sink(receiveCompletion: { _ in end() }, receiveValue: line)
  }
}
