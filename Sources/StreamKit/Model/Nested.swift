internal import StreamCore

/// Streams or operators inside another stream.
///
/// They may be nested hundreds of levels deep. Comparing, hashing and releasing them recurses and continues on a larger
/// stack if the thread's stack is too small.
struct Nested<Content: Hashable & Sendable>: Hashable, Sendable {
  /// `@unchecked`: immutable until it is released.
  private final class Box: @unchecked Sendable {
    private(set) var content: Content?

    init(_ content: Content) { self.content = content }

    deinit { DeepStack.run { content = nil } }
  }

  private let box: Box

  init(_ content: Content) { box = Box(content) }

  var content: Content {
    guard let content = box.content else { preconditionFailure("nested streams are there until they are released") }
    return content
  }

  static func == (first: Nested, second: Nested) -> Bool {
    first.box === second.box || DeepStack.run { first.content == second.content }
  }

  func hash(into hasher: inout Hasher) {
    var copy = hasher
    DeepStack.run { content.hash(into: &copy) }
    hasher = copy
  }
}
