public import CEL
public import StreamCore
public import StreamEngine

/// The services a host provides to its streams: the functions called by `call`, the hooks of `handleEvents`, and
/// handlers for debug output and reports.
///
/// ```swift
/// var services = HostServices()
/// services.function("testServer") { (name: String) async throws -> Bool in try await network.test(name) }
/// services.hook("fillCache") { (items: [String]) in cache.fill(items) }
/// ```
public struct HostServices: Sendable {
  /// A function of the host: returns a value for an argument, or throws.
  public typealias Function = @Sendable (Value) async throws -> Value
  /// A hook of the host: receives a value and returns nothing.
  public typealias Hook = @Sendable (Value) -> Void

  private var storage = Storage.none

  /// Behind one reference, for every live stream has it.
  private final class Storage: Sendable {
    let content: Content
    init(_ content: Content) { self.content = content }
    static let none = Storage(Content())
  }

  private var content: Content { storage.content }

  private mutating func change(_ body: (inout Content) -> Void) {
    var content = storage.content
    body(&content)
    storage = Storage(content)
  }

  private struct Content: Sendable {
    var functions: [String: Function] = [:]
    /// Each returns a failure if the message does not fit.
    var hooks: [String: @Sendable (Value) -> StreamFailure?] = [:]
    var expressionFunctions: [FunctionDeclaration] = []
    var coding = ValueCoding.standard
    var limits = RunLimits()
    var print: @Sendable (HookEvent) -> Void = { Swift.print($0.text) }
    var report: @Sendable (StreamFailure) -> Void = { _ in }
  }

  /// Functions that expressions can call.
  public var expressionFunctions: [FunctionDeclaration] {
    get { content.expressionFunctions }
    set { change { $0.expressionFunctions = newValue } }
  }

  /// Receives the lines of `print`: each is the string `message` of an event, and begins with its label, which is also
  /// the `name`. By default they are written to standard output, as in Combine.
  public var print: @Sendable (HookEvent) -> Void {
    get { content.print }
    set { change { $0.print = newValue } }
  }

  /// Receives reports of values skipped because they made an operator fail, of messages that do not fit their hook, and,
  /// when a stream ends or is canceled, of the values that each operator or input has dropped (`S418`) and of those that
  /// were late (`S305`). By default reports are discarded.
  public var report: @Sendable (StreamFailure) -> Void {
    get { content.report }
    set { change { $0.report = newValue } }
  }

  /// The coding of the app's own types: of outputs, and of the arguments, results and messages of the functions and hooks
  /// that are registered after it is set. Default `standard`. Inputs have a coding of their own.
  public var coding: ValueCoding {
    get { content.coding }
    set { change { $0.coding = newValue } }
  }

  /// The limits of each stream that has these services: of each subscription of a live stream, and of a changing or shared
  /// stream.
  public var limits: RunLimits {
    get { content.limits }
    set { change { $0.limits = newValue } }
  }

  /// Creates services without functions and hooks.
  ///
  /// - Parameter coding: The coding of the app's own types.
  public init(coding: ValueCoding = .standard) {
    if coding != .standard { self.coding = coding }
  }

  /// Registers a function that receives untyped values.
  public mutating func function(_ name: String, of values: @escaping Function) {
    change { $0.functions[name] = values }
  }

  /// Registers a hook that receives untyped values.
  public mutating func hook(_ name: String, of values: @escaping Hook) {
    change {
      $0.hooks[name] = { value in
        values(value)
        return nil
      }
    }
  }

  /// Registers a function under the name that `call` uses. It runs in its own task, which is canceled when its result
  /// is no longer needed.
  ///
  /// - Parameters:
  ///   - name: The name that `call` uses. A function registered before under this name is replaced.
  ///   - body: The implementation. A thrown `StreamFailure` becomes the failure of the call, unchanged. Any other error
  ///     gets the code `S413`; if it is `Encodable`, expressions see it as `error`.
  public mutating func function<Argument: Decodable & Sendable, Answer: Encodable & Sendable>(
    _ name: String, _ body: @escaping @Sendable (Argument) async throws -> Answer
  ) {
    let reading = ValueReading<Argument>(coding)
    let writing = ValueWriting<Answer>(coding)
    change { $0.functions[name] = { value in try writing.write(try await body(try reading.read(value))) } }
  }

  /// Registers a function of two arguments, which `call` passes as a list: `"argument": "[value, outer]"`.
  public mutating func function<First, Second, Answer>(
    _ name: String, _ body: @escaping @Sendable (First, Second) async throws -> Answer
  ) where First: Decodable & Sendable, Second: Decodable & Sendable, Answer: Encodable & Sendable {
    let reading = (ValueReading<First>(coding), ValueReading<Second>(coding))
    let writing = ValueWriting<Answer>(coding)
    function(
      name,
      of: { value in
        guard case .list(let list) = value, list.count == 2 else {
          throw StreamFailure(
            .misfittingValue, "the function '\(name)' takes a list of two values; found \(value.describedType)",
            value: value)
        }
        return try writing.write(try await body(try reading.0.read(list[0]), try reading.1.read(list[1])))
      })
  }

  /// Registers a function that takes no argument: `call` has none, or any.
  public mutating func function<Answer: Encodable & Sendable>(
    _ name: String, _ body: @escaping @Sendable () async throws -> Answer
  ) {
    let writing = ValueWriting<Answer>(coding)
    function(name, of: { _ in try writing.write(try await body()) })
  }

  /// Registers a function that returns nothing: its result is null.
  public mutating func function<Argument: Decodable & Sendable>(
    _ name: String, _ body: @escaping @Sendable (Argument) async throws -> Void
  ) {
    let reading = ValueReading<Argument>(coding)
    function(
      name,
      of: { value in
        try await body(try reading.read(value))
        return .null
      })
  }

  /// Registers a function that takes no argument and returns nothing: its result is null.
  public mutating func function(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
    function(
      name,
      of: { _ in
        try await body()
        return .null
      })
  }

  /// Registers a hook that runs on the main actor, in the order of its messages.
  ///
  /// ```swift
  /// services.hook("status", on: .shared) { (text: String) in label.text = text }
  /// ```
  public mutating func hook<Message: Decodable & Sendable>(
    _ name: String, on actor: MainActor, _ body: @escaping @MainActor @Sendable (Message) -> Void
  ) {
    let messages = MainActorMessages(body)
    hook(name) { (message: Message) in messages.send(message) }
  }

  /// Registers a hook under the name that `handleEvents` uses.
  ///
  /// A message that does not fit the hook's type is reported and otherwise ignored.
  public mutating func hook<Message: Decodable & Sendable>(
    _ name: String, _ body: @escaping @Sendable (Message) -> Void
  ) {
    let reading = ValueReading<Message>(coding)
    change {
      $0.hooks[name] = { value in
        do throws(StreamFailure) {
          body(try reading.read(value))
          return nil
        } catch {
          return error
        }
      }
    }
  }

  /// Declares the available names to the compiler.
  package func announce(to host: inout StreamHost) {
    host.functions.formUnion(content.functions.keys)
    host.hooks.formUnion(content.hooks.keys)
    host.expressionFunctions += expressionFunctions
  }

  /// Returns the result of a function.
  func answer(_ call: Call) async -> Result<Value, StreamFailure> {
    guard let function = content.functions[call.function] else {
      return .failure(
        StreamFailure(.notRegistered, "this host has no function '\(call.function)'", pointer: call.pointer))
    }
    do {
      return .success(try await function(call.argument))
    } catch {
      let failure = StreamFailure(
        foreign: error, .callFailed, "the function '\(call.function)' failed", value: call.argument)
      return .failure(failure.located(at: call.pointer))
    }
  }

  func tell(_ note: HookEvent) {
    switch note.kind {
    case .line: print(note)
    case .hook:
      if let failure = content.hooks[note.name]?(note.message) { report(failure.located(at: note.pointer)) }
    }
  }
}

extension CompileOptions {
  /// Options for compiling or checking models that use what an app adds to stream files.
  ///
  /// ```swift
  /// let options = CompileOptions(services: services, operators: [Change.self])
  /// let rules = try StreamModel(checking: downloaded, options: options)
  /// ```
  ///
  /// - Parameters:
  ///   - services: The functions and hooks of the app.
  ///   - operators: The operators of the app: see `StreamHost`. Default none.
  public init(services: HostServices, operators: [any OperatorDefinition.Type] = []) {
    self.init(host: StreamHost(operators: operators))
    self = adding(services)
  }

  /// Returns the options with the names of services added to the host.
  package func adding(_ services: HostServices) -> CompileOptions {
    var options = self
    services.announce(to: &options.host)
    return options
  }
}

/// Messages that the main actor receives in order, until this is released.
private final class MainActorMessages<Message: Sendable>: Sendable {
  private let mail: AsyncStream<Message>.Continuation

  init(_ body: @escaping @MainActor @Sendable (Message) -> Void) {
    let (messages, mail) = AsyncStream.makeStream(of: Message.self)
    self.mail = mail
    Task { @MainActor in for await message in messages { body(message) } }
  }

  deinit { mail.finish() }

  func send(_ message: Message) { mail.yield(message) }
}
