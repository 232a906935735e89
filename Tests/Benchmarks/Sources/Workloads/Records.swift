import OpenCombine
@_spi(Engine) import StreamCore
import StreamEngine

// W4: records of a sensor.

/// A thousand records of a phone that is turned over again and again.
private struct Gravity {
  let t: Int
  let x: Double
  let y: Double
  let z: Double

  static let samples = (0..<1_000).map { t in
    // No trigonometry: a triangle wave with a little noise.
    let phase = Double(t % 100) / 25 - 2
    let z = (phase < 0 ? -phase : phase) - 1
    return Gravity(t: t, x: Double(t % 7) / 100, y: 1 - z * z, z: z)
  }

  private static let shape = Shape(names: ["t", "x", "y", "z"])

  var value: Value {
    .map(ValueMap(shape: Self.shape, slots: [.int(Int64(t)), .double(x), .double(y), .double(z)]))
  }

  var side: Int { z > 0.25 ? 1 : z < -0.25 ? -1 : 0 }
}

func w4(_ count: Int) -> [Workload] {
  let samples = Gravity.samples
  let records = samples.map(\.value)
  let dictionaries = samples.map { ["t": Double($0.t), "x": $0.x, "y": $0.y, "z": $0.z] }
  func ours(_ file: String) -> Contender {
    let pipeline = StreamFile(file).pipeline()
    return Contender(Contender.ours) { count in
      let execution = Execution.started(pipeline)
      for place in 0..<count {
        while execution.next(sending: records[place % records.count], to: 0, at: .zero) != nil {}
      }
      execution.finish(0, at: .zero)
      return number(execution.drain())
    }
  }
  let loop = Contender("loop, inlined, structs") { count in
    var (turns, last) = (0, 2)
    for place in 0..<count {
      let side = samples[place % samples.count].side
      if side != last { turns += 1 }
      last = side
    }
    return turns
  }
  return [
    Workload(
      "W4, declared", count: count,
      [
        ours("w4-declared"),
        loop,
        Contender("OpenCombine, structs") { count in
          var turns = 0
          let subject = PassthroughSubject<Gravity, Never>()
          let token = subject.map(\.side).removeDuplicates().count().sink { turns = $0 }
          for place in 0..<count { subject.send(samples[place % samples.count]) }
          subject.send(completion: .finished)
          token.cancel()
          return turns
        },
      ]),
    Workload(
      "W4, dynamic", count: count,
      [
        ours("w4-dynamic"),
        loop,
        Contender("OpenCombine, dictionaries") { count in
          var turns = 0
          let subject = PassthroughSubject<[String: Double], Never>()
          let token = subject.map { record -> Int in
            let z = record["z"] ?? 0
            return z > 0.25 ? 1 : z < -0.25 ? -1 : 0
          }
          .removeDuplicates().count().sink { turns = $0 }
          for place in 0..<count { subject.send(dictionaries[place % dictionaries.count]) }
          subject.send(completion: .finished)
          token.cancel()
          return turns
        },
      ]),
  ]
}
