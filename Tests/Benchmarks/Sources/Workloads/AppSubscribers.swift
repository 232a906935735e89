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

/// A type of an app.
private struct Reading: Codable, Sendable {
  var sensor: String
  var level: Double
  var count: Int
}

// A2: an app's own type in and out of a stream, beside a closure.

func a2(_ count: Int) -> Workload {
  let input = PassthroughInput<Reading>()
  let stream: LiveStream
  do {
    stream = try LiveStream(StreamModel(parsing: StreamFile("a2").text), inputs: ["reading": input])
  } catch {
    fatalError("\(error)")
  }
  let subject = PassthroughSubject<Reading, Never>()
  return Workload(
    "A2, a struct of three members in and out", count: count,
    [
      Contender(Contender.ours) { count in
        var sum = 0.0
        let token = stream.publisher(of: Reading.self, delivery: .immediate)
          .sink(receiveCompletion: { _ in }, receiveValue: { sum += $0.level })
        for number in 0..<count { input.send(Reading(sensor: "a", level: Double(number & 7), count: number)) }
        token.cancel()
        return Int(sum)
      },
      Contender("OpenCombine") { count in
        var sum = 0.0
        let token = subject.filter { $0.level > 1 }.sink { sum += $0.level }
        for number in 0..<count { subject.send(Reading(sensor: "a", level: Double(number & 7), count: number)) }
        token.cancel()
        return Int(sum)
      },
    ])
}
