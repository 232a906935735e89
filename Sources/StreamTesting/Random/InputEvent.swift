public import StreamCore
public import StreamEngine

/// An event that a host sends to a stream at an instant.
public struct InputEvent: Sendable {
  public enum Kind: Sendable {
    case value(Value)
    case finished
    case failed
    /// Time passes and nothing else happens.
    case advanced
  }

  public var time: StreamTime
  /// The number of the input.
  public var input: Int
  public var kind: Kind

  public init(_ kind: Kind, to input: Int, at time: StreamTime) {
    self.kind = kind
    self.input = input
    self.time = time
  }
}

extension InputEvent: CustomStringConvertible {
  public var description: String {
    let name = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(clamping: input)))
    let place = "\(Double(time.nanoseconds) / 1e6) ms \(name)"
    switch kind {
    case .value(let value): return "\(place) \(JSONWriter.compact(value))"
    case .finished: return "\(place) |"
    case .failed: return "\(place) #"
    case .advanced: return "\(Double(time.nanoseconds) / 1e6) ms"
    }
  }
}
