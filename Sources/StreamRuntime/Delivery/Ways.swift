/// Where a value of an input goes straight to.
struct Way {
  /// What is done with it there.
  enum Use: UInt8 {
    /// The hearer is told.
    case heard
    /// See `Bypass`.
    case combined, kept, gathered
  }

  /// Who hears it; nil where the host does.
  let hearer: Unmanaged<Stage>?
  /// The expression that it goes into, past the hearer.
  /// NB: not counted: the hearer keeps it until it is told anything else, which ends the way.
  let tuple: Unmanaged<JoinProgramInstance>?
  /// The hearer where that is a segment, whose program runs for it and has asked for everything.
  let program: Unmanaged<Stage>?
  private let place: Int32
  /// The epoch of the execution in which it holds; 0 is none.
  fileprivate let epoch: UInt16
  let use: Use

  init(to hearer: Unmanaged<Stage>?, on port: Int, by passage: Bypass? = nil, in epoch: UInt16 = 0) {
    self.hearer = hearer
    place = Int32(truncatingIfNeeded: port)
    self.epoch = epoch
    let (use, run): (Use, JoinProgramInstance?) =
      switch passage {
      case .combined(let run) where run.isOpen(to: port): (.combined, run)
      case .gathered(let run) where run.isOpen(to: port): (.gathered, run)
      case .kept(let run) where run.isOpen(to: port): (.kept, run)
      default: (.heard, nil)
      }
    self.use = use
    tuple = run.map(Unmanaged.passUnretained)
    let isProgram = hearer?._withUnsafeGuaranteedRef { $0.isSegment && $0.isUnlimited(port) } == true
    program = isProgram ? hearer : nil
  }

  /// The port on which it is heard.
  @inline(__always)
  var port: Int { Int(place) }
}

/// The ways from the inputs that are known: looked for once, they hold until anything is done but handing values straight
/// on.
struct Ways: ~Copyable {
  /// NB: of no memory until the first is known; then of one that has the number of inputs for its port, and theirs.
  private var base: UnsafeMutablePointer<Way>?

  deinit { base?.deallocate() }

  @inline(__always)
  func way(from input: Int, in epoch: UInt16) -> UnsafePointer<Way>? {
    // One test for both ends.
    guard let base, UInt(bitPattern: input) < UInt(bitPattern: base.pointee.port) else { return nil }
    let way = base + input + 1
    return way.pointee.epoch == epoch ? UnsafePointer(way) : nil
  }

  /// Keeps the way from an input, of which there are so many, until it is asked for another one.
  mutating func keep(_ way: Way, from input: Int, of inputCount: Int) -> UnsafePointer<Way> {
    let base = base ?? make(inputCount)
    base[input + 1] = way
    return UnsafePointer(base + input + 1)
  }

  private mutating func make(_ count: Int) -> UnsafeMutablePointer<Way> {
    let made = UnsafeMutablePointer<Way>.allocate(capacity: count + 1)
    made.initialize(repeating: Way(to: nil, on: count), count: count + 1)
    base = made
    return made
  }
}

extension Execution {
  /// Where a value goes straight to that is handed on now; nil where there is more to do for it, or before it.
  ///
  /// Nothing else may be to be done. It is not to be looked at once another value is on its way.
  @inline(__always)
  func way(from input: Int) -> UnsafePointer<Way>? { ways.way(from: input, in: epoch) ?? lookForWay(from: input) }

  /// Where what is handed on is one of so many that were asked for, it is taken off.
  @inline(never)
  private func lookForWay(from input: Int) -> UnsafePointer<Way>? {
    guard let way = makeWay(from: input) else { return nil }
    return ways.keep(way, from: input, of: pipeline.inputs.count)
  }

  private func makeWay(from input: Int) -> Way? {
    guard ended.isEmpty, !isEnded, !isWatched, let stage = inputs.direct(input)?.takeUnretainedValue() else {
      return nil
    }
    let isUnlimited = stage.isUnlimited
    guard stage.passesOn() else { return nil }
    guard isUnlimited else { return Way(to: stage.downstreamReference, on: stage.port) }
    var (hearer, port) = (stage.downstreamReference, stage.port)
    var passage: Bypass?
    while let stage = hearer?.takeUnretainedValue() {
      passage = stage.passage(on: port)
      guard case .open = passage else { break }
      (hearer, port) = (stage.downstreamReference, stage.port)
      passage = nil
    }
    return Way(to: hearer, on: port, by: passage, in: epoch)
  }
}
