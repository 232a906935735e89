/// Something that is measured: ours from a stream file, beside others that give the same answer.
struct Workload {
  let name: String
  /// How many source values one run takes.
  let count: Int
  let contenders: [Contender]

  /// - Parameter contenders: ours first, which the ratios are to.
  init(_ name: String, count: Int, _ contenders: [Contender]) {
    self.name = name
    self.count = count
    self.contenders = contenders
  }
}

/// One side of a comparison.
struct Contender {
  let name: String
  /// Takes so many source values, and gives what they come to.
  let run: (Int) async -> Int

  init(_ name: String, _ run: @escaping (Int) async -> Int) {
    self.name = name
    self.run = run
  }

  static let ours = "streamrun"
}

extension Workload {
  /// The same without the others.
  var ours: Workload { Workload(name, count: count, [contenders[0]]) }

  /// Measures all sides in turn, checks that they agree, and prints the medians:
  /// `workload<TAB>peer<TAB>ns_per_value<TAB>ratio_to_ours`.
  func measure(rounds: Int) async {
    var times = Array(repeating: [Double](), count: contenders.count)
    var answers = Array(repeating: 0, count: contenders.count)
    for _ in 0..<rounds {
      for (place, contender) in contenders.enumerated() {
        let clock = ContinuousClock()
        let start = clock.now
        answers[place] = await contender.run(count)
        times[place].append(start.duration(to: clock.now) / .nanoseconds(1) / Double(count))
      }
    }
    for (contender, answer) in zip(contenders, answers) where answer != answers[0] {
      fatalError("\(name): \(contender.name) gives \(answer), ours \(answers[0])")
    }
    let medians = times.map { $0.sorted()[$0.count / 2] }
    for (contender, median) in zip(contenders, medians) {
      print("\(name)\t\(contender.name)\t\(rounded(median))\t\(rounded(median / medians[0]))")
    }
  }

  private func rounded(_ figure: Double) -> Double { (figure * 100).rounded() / 100 }
}
