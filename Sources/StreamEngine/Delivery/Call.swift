public import StreamCore

/// A request to call a function of the host. The host replies with `Execution.resolve`.
///
/// ```swift
/// while let event = execution.next() {
///   guard case .call(let call) = event, let number = call.argument.int else { continue }
///   execution.resolve(call.id, with: .success(.int(Int64(2 * number))), at: execution.time)
/// }
/// ```
public struct Call: Hashable, Sendable, Codable {
  /// Identifies the call within the execution.
  public let id: Int64
  /// The name of the host function.
  public let function: String
  public let argument: Value
  /// The calling operator's location in the stream file.
  public let pointer: JSONPointer

  public init(id: Int64, function: String, argument: Value, pointer: JSONPointer) {
    self.id = id
    self.function = function
    self.argument = argument
    self.pointer = pointer
  }
}

/// A message from an operator to the host without effect on the stream: `print`, `handleEvents`.
///
/// ```swift
/// services.print = { event in log.append(event.message.string ?? "") }
/// ```
public struct HookEvent: Hashable, Sendable, Codable {
  public enum Kind: String, Hashable, Sendable, Codable {
    /// A line of debug output.
    case line
    /// A hook registered by the host.
    case hook
  }

  public let kind: Kind
  /// The name of the hook, or the label with which the line begins.
  public let name: String
  /// The whole line, with its label, or the argument of the hook.
  public let message: Value
  /// The sending operator's location in the stream file.
  public let pointer: JSONPointer

  public init(_ kind: Kind, name: String, message: Value, pointer: JSONPointer) {
    self.kind = kind
    self.name = name
    self.message = message
    self.pointer = pointer
  }
}

extension HookEvent {
  /// The event as text: the line, which begins with its label, or the name of the hook and the argument.
  package var text: String {
    if kind == .line, case .string(let line) = message { return line }
    return "\(name): \(JSONWriter.beginning(of: message, bytes: 100_000))"
  }
}
