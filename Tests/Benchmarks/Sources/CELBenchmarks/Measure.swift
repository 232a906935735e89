/// Nanoseconds that one round takes: the best of some runs, each long enough for the clock.
func nanoseconds(rounds: Int, repetitions: Int = 5, _ body: (Int) -> Void) -> Double {
  var best = Double.infinity
  for _ in 0..<repetitions {
    let clock = ContinuousClock()
    let time = clock.measure { body(rounds) }
    let (seconds, attoseconds) = time.components
    best = min(best, (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(rounds))
  }
  return best
}

/// Prints a figure, and how it stands to the hand-written closure.
func report(_ name: String, _ value: Double, closure: Double? = nil) {
  let figure = (value * 10).rounded() / 10
  let ratio = closure.map { "   \((value / $0 * 10).rounded() / 10) × the closure" } ?? ""
  print("\(name): \(figure) ns\(ratio)")
}

/// Nanoseconds that one round takes, measured once, over at least this many seconds.
func nanoseconds(seconds: Double, _ body: (Int) -> Void) -> Double {
  var rounds = 1
  while true {
    let time = ContinuousClock().measure { body(rounds) } / .seconds(1)
    if time >= seconds { return time * 1e9 / Double(rounds) }
    // Once it is known roughly, the next attempt is the last.
    let growth = time > seconds / 100 ? seconds / time * 1.1 : 10
    rounds = Int((Double(rounds) * growth).rounded(.up))
  }
}
