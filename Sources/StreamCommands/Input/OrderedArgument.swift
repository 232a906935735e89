internal import ArgumentParser
internal import Synchronization

/// An argument that records its position on the command line.
///
/// The parser separates options by name; the position restores their order.
struct OrderedArgument<Content: ExpressibleByArgument & Sendable>: ExpressibleByArgument, Sendable {
  let order: Int
  let content: Content

  init?(argument: String) {
    guard let content = Content(argument: argument) else { return nil }
    self.content = content
    order = ArgumentOrder.next()
  }
}

private enum ArgumentOrder {
  private static let latest = Atomic<Int>(0)

  static func next() -> Int { latest.add(1, ordering: .relaxed).newValue }
}

/// Two places, as `3:0`.
struct PlacePair: ExpressibleByArgument, Hashable, Sendable {
  let from: String
  let to: Int

  init?(argument: String) {
    guard let colon = argument.lastIndex(of: ":"), colon != argument.startIndex,
      let to = Int(argument[argument.index(after: colon)...])
    else { return nil }
    from = String(argument[..<colon])
    self.to = to
  }
}
