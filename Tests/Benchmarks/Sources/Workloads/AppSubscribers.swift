import OpenCombine
import StreamCombine
import StreamCore
import StreamEngine
import StreamKit

// A1: subscribers of an app's input, all at the same time.

func a1(_ count: Int) -> Workload {
  let input = PassthroughInput<Int>()
  let stream: LiveStream
  do {
    stream = try LiveStream(StreamModel(parsing: StreamFile("w7").text), inputs: ["number": input])
  } catch {
    fatalError("\(error)")
  }
  let subject = PassthroughSubject<Int, Never>()
  return Workload(
    "A1, subscribe to one input and cancel", count: count,
    [
      Contender(Contender.ours) { count in
        let tokens = (0..<count).map { _ in
          stream.publisher(of: Int.self, delivery: .immediate).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        }
        for token in tokens { token.cancel() }
        return 0
      },
      Contender("OpenCombine") { count in
        let tokens = (0..<count).map { _ in
          subject.map { $0 * 3 }.filter { $0 % 2 == 0 }.scan(0) { $0 + $1 }.sink { _ in }
        }
        for token in tokens { token.cancel() }
        return 0
      },
    ])
}
