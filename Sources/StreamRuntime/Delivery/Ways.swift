/// Where a value of an input goes straight to.
struct Way {
  /// Who hears it; nil where the host does.
  let hearer: Unmanaged<Stage>?
  private let place: Int32
  /// The epoch of the execution in which it holds.
  fileprivate let epoch: Int

  init(to hearer: Unmanaged<Stage>?, on port: Int, in epoch: Int = 0) {
    self.hearer = hearer
    place = Int32(truncatingIfNeeded: port)
    self.epoch = epoch
  }

  /// The port on which it is heard.
  @inline(__always)
  var port: Int { Int(place) }
}

/// The ways from the inputs that are known: looked for once, they hold until anything is done but handing values straight
/// on.
struct Ways: ~Copyable {
  /// NB: of no memory until the first is known; then of `count` that are initialised.
  private var base: UnsafeMutablePointer<Way>?
  private var count: Int32 = 0

  deinit { base?.deallocate() }

  @inline(__always)
  func way(from input: Int, in epoch: Int) -> Way? {
    guard let base, input >= 0, input < count else { return nil }
    let way = base[input]
    return way.epoch == epoch ? way : nil
  }

  /// Keeps the way from an input, of which there are so many.
  mutating func keep(_ way: Way, from input: Int, of inputCount: Int) {
    if base == nil {
      let made = UnsafeMutablePointer<Way>.allocate(capacity: inputCount)
      made.initialize(repeating: Way(to: nil, on: 0), count: inputCount)
      base = made
      count = Int32(truncatingIfNeeded: inputCount)
    }
    guard let base, input >= 0, input < count else { return }
    base[input] = way
  }
}

extension Execution {
  /// Where a value goes straight to that is handed on now; nil where there is more to do for it, or before it.
  ///
  /// Nothing else may be to be done.
  @inline(__always)
  func way(from input: Int) -> Way? {
    if isFolded { return input == 0 ? rootReference.map { Way(to: $0, on: 0) } : nil }
    return ways.way(from: input, in: epoch) ?? lookForWay(from: input)
  }

  /// Where what is handed on is one of so many that were asked for, it is taken off.
  @inline(never)
  private func lookForWay(from input: Int) -> Way? {
    guard ended.isEmpty, !isEnded, !isWatched, let stage = inputs.direct(input)?.takeUnretainedValue() else {
      return nil
    }
    let isUnlimited = stage.isUnlimited
    guard stage.passesOn() else { return nil }
    guard isUnlimited else { return Way(to: stage.downstreamReference, on: stage.port) }
    var (hearer, port) = (stage.downstreamReference, stage.port)
    while let stage = hearer?.takeUnretainedValue(), stage.isOpen(port) {
      (hearer, port) = (stage.downstreamReference, stage.port)
    }
    let way = Way(to: hearer, on: port, in: epoch)
    ways.keep(way, from: input, of: pipeline.inputs.count)
    return way
  }
}
