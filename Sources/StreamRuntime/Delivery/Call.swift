public import StreamCore

/// A call of a function of the host that a stream wants made. The host answers with `Execution.resolve`.
public struct Call: Hashable, Sendable, Codable {
  /// Tells it from every other call of the execution.
  public let id: Int64
  /// The name under which the host knows the function.
  public let function: String
  public let argument: Value
  /// Who calls: a place in the stream file.
  public let pointer: JSONPointer

  public init(id: Int64, function: String, argument: Value, pointer: JSONPointer) {
    self.id = id
    self.function = function
    self.argument = argument
    self.pointer = pointer
  }
}

/// Something that an operator tells the host on the side, without influence on the stream: `print`, `handleEvents`.
public struct HookEvent: Hashable, Sendable, Codable {
  public enum Kind: String, Hashable, Sendable, Codable {
    /// A line for whoever looks for a mistake.
    case line
    /// A hook that the host has registered.
    case hook
  }

  public let kind: Kind
  /// The hook's name, or the label of the line.
  public let name: String
  /// The line, or what the hook is told.
  public let message: Value
  /// Who tells: a place in the stream file.
  public let pointer: JSONPointer

  public init(_ kind: Kind, name: String, message: Value, pointer: JSONPointer) {
    self.kind = kind
    self.name = name
    self.message = message
    self.pointer = pointer
  }
}
