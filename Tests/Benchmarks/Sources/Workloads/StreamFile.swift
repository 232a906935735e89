import Foundation
import StreamCore
import StreamEngine
import StreamKit

/// A stream file of `Streams/`, loaded and compiled as any other.
struct StreamFile {
  let text: String

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Streams/")

  init(_ name: String) {
    do {
      text = try String(contentsOf: Self.folder.appending(path: "\(name).json"), encoding: .utf8)
    } catch {
      fatalError("\(name): \(error)")
    }
  }

  /// - Parameter count: the count of numbers in a range, instead of a million.
  func pipeline(through count: Int = 1_000_000) -> Pipeline {
    do {
      return try StreamModel(parsing: text.replacing("1000000", with: "\(count)")).compile()
    } catch {
      fatalError("\(error)")
    }
  }
}

extension Execution {
  /// Processes all events, and returns the last value.
  func drain() -> Value? {
    var last: Value?
    while let event = next() { handle(event, &last) }
    return last
  }

  func handle(_ event: ExecutionEvent, _ last: inout Value?) {
    switch event {
    case .value(let value): last = value
    case .failure(let failure): fatalError(failure.message)
    default: break
    }
  }

  /// An execution that has been asked for everything.
  static func started(_ pipeline: Pipeline) -> Execution {
    let execution = Execution(pipeline)
    execution.request(.unlimited)
    while execution.next() != nil {}
    return execution
  }
}

/// The number that a value is.
func number(_ value: Value?) -> Int {
  switch value {
  case .int(let number): Int(number)
  case .double(let number): Int(number)
  default: 0
  }
}
