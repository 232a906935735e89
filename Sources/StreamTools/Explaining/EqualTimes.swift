/// The inputs with clocks in an outline. If values have equal times, the names of their inputs decide their order.
struct EqualTimes {
  private let clocks: Set<String>
  private let streams: [String: StreamOutline]

  init(in outline: StreamOutline) {
    clocks = Set(outline.inputs.filter { $0.time != nil }.map(\.name))
    streams = Dictionary(
      outline.streams.compactMap { stream in stream.name.map { ($0, stream) } }, uniquingKeysWith: { first, _ in first }
    )
  }

  /// The operators whose results depend on which of two streams has its value first.
  private static let dependent: Set<String> = [
    "combineLatest", "dropUntil", "prefixUntil", "sample", "switchMap", "withLatestFrom", "zip",
  ]

  /// Returns a sentence about the order of an operator's values at equal times; nil if it combines no two inputs with
  /// clocks, or its results do not depend on their order.
  ///
  /// - Parameter upstream: The source and the operators before it.
  func sentence(about step: StreamOutline.Step, after upstream: some Sequence<StreamOutline.Step>) -> String? {
    guard clocks.count > 1, step.kind == .operator, Self.dependent.contains(step.name) else { return nil }
    var found: Set<String> = []
    var seen: Set<String> = []
    add(upstream, to: &found, &seen)
    add([step], to: &found, &seen)
    let names = found.sorted()
    guard names.count > 1 else { return nil }
    return " At equal times, the values of \(names.joined(separator: ", then of ")) come: the names of inputs decide."
  }

  private func add(
    _ steps: some Sequence<StreamOutline.Step>, to found: inout Set<String>, _ seen: inout Set<String>
  ) {
    for step in steps {
      if step.kind == .input || step.kind == .reference { add(step.name, to: &found, &seen) }
      for branch in step.branches {
        switch branch.content {
        case .name(let name): add(name, to: &found, &seen)
        case .outline(let outline): add(outline.steps, to: &found, &seen)
        }
      }
    }
  }

  private func add(_ name: String, to found: inout Set<String>, _ seen: inout Set<String>) {
    if let stream = streams[name] {
      if seen.insert(name).inserted { add(stream.steps, to: &found, &seen) }
    } else if clocks.contains(name) {
      found.insert(name)
    }
  }
}
