/// The destination of an input's values, past all stages that pass them on unchanged.
struct DirectRoute {
  /// The stage that receives the values; nil for the host.
  let receiver: Unmanaged<Stage>?
  /// The stage, if it is a segment that has requested all values.
  let program: Unmanaged<Stage>?
  private let place: Int32
  /// The epoch of the execution in which the route is valid; 0 if it is valid for one value only.
  fileprivate let epoch: UInt16

  init(to receiver: Unmanaged<Stage>?, on port: Int, in epoch: UInt16 = 0) {
    self.receiver = receiver
    place = Int32(truncatingIfNeeded: port)
    self.epoch = epoch
    let isProgram = receiver?._withUnsafeGuaranteedRef { $0.isSegment && $0.isUnlimited(port) } == true
    program = isProgram ? receiver : nil
  }

  /// The port of the stage.
  @inline(__always)
  var port: Int { Int(place) }
}

/// The known routes from inputs. A route is found once, and is valid until anything but a direct value is delivered.
struct DirectRoutes: ~Copyable {
  /// NB: Not allocated until the first route is known. The port of the first element is the number of inputs; their
  /// routes follow.
  private var base: UnsafeMutablePointer<DirectRoute>?

  deinit { base?.deallocate() }

  @inline(__always)
  func route(from input: Int, in epoch: UInt16) -> UnsafePointer<DirectRoute>? {
    // A single unsigned comparison checks both bounds.
    guard let base, UInt(bitPattern: input) < UInt(bitPattern: base.pointee.port) else { return nil }
    let route = base + input + 1
    return route.pointee.epoch == epoch ? UnsafePointer(route) : nil
  }

  /// Stores the route of one of `inputCount` inputs, replacing the input's previous route.
  mutating func keep(_ route: DirectRoute, from input: Int, of inputCount: Int) -> UnsafePointer<DirectRoute> {
    let base = base ?? make(inputCount)
    base[input + 1] = route
    return UnsafePointer(base + input + 1)
  }

  private mutating func make(_ count: Int) -> UnsafeMutablePointer<DirectRoute> {
    let made = UnsafeMutablePointer<DirectRoute>.allocate(capacity: count + 1)
    made.initialize(repeating: DirectRoute(to: nil, on: count), count: count + 1)
    base = made
    return made
  }
}

extension Execution {
  /// Returns the route of a value that is sent now; nil if the value has to be delivered stage by stage.
  ///
  /// No other work may be pending. The pointer is valid until the next delivery.
  @inline(__always)
  func route(from input: Int) -> UnsafePointer<DirectRoute>? {
    routes.route(from: input, in: epoch) ?? findRoute(from: input)
  }

  /// Finds and stores the route. If the demand is finite, consumes one value of it.
  @inline(never)
  private func findRoute(from input: Int) -> UnsafePointer<DirectRoute>? {
    guard let route = makeRoute(from: input) else { return nil }
    return routes.keep(route, from: input, of: pipeline.inputs.count)
  }

  private func makeRoute(from input: Int) -> DirectRoute? {
    guard ended.isEmpty, !isEnded, !isWatched, let stage = inputs.direct(input)?.takeUnretainedValue() else {
      return nil
    }
    let isUnlimited = stage.isUnlimited
    guard stage.passesOn() else { return nil }
    var (receiver, port) = (stage.downstreamReference, stage.port)
    guard isUnlimited else { return DirectRoute(to: receiver, on: port) }
    while let stage = receiver?.takeUnretainedValue(), stage.passesValues(on: port) {
      (receiver, port) = (stage.downstreamReference, stage.port)
    }
    return DirectRoute(to: receiver, on: port, in: epoch)
  }
}
