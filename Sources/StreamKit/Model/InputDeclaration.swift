public import CEL
public import StreamCore
public import StreamEngine

/// A named input, which the host feeds.
///
/// ```swift
/// let model = StreamModel(
///   inputs: ["name": InputDeclaration(type: .string, initialValue: "")], source: .input("name"))
/// ```
public struct InputDeclaration: StreamFilePart {
  /// The initial value. With it the input is a current-value subject, without it a passthrough subject.
  public var initialValue: Value?
  /// The type of the values. A declared type lets expressions be checked and run faster.
  public var type: TypeDeclaration?
  /// The buffer for values without demand. By default 1024 values wait, and one more fails the stream.
  public var buffer: Buffer?
  /// When the values happened: the stream runs by these times. By default values have no times of their own.
  public var time: EventTime?
  /// Custom members, whose names begin with `x-`.
  public var extensions: ValueMap
  /// Custom members of `time`.
  package var timeExtensions = ValueMap()

  public init(
    type: TypeDeclaration? = nil, initialValue: Value? = nil, buffer: Buffer? = nil, time: EventTime? = nil,
    extensions: ValueMap = ValueMap()
  ) {
    self.type = type
    self.initialValue = initialValue
    self.buffer = buffer
    self.time = time
    self.extensions = extensions
  }

  package static let keys = ["initialValue", "type", "buffer", "time"]

  public init(json: Value) throws(Diagnostics) { self = try Self.complete(Self.read(json)) }

  /// The declaration as far as it can be read, and all that is wrong with it.
  package static func read(_ json: Value) -> (InputDeclaration, Diagnostics) {
    var input = InputDeclaration()
    var reader = MemberReader(
      json, what: "an input", keys: keys,
      form: { $0.text.map { "write {\"type\": \(JSONWriter.compact(.string($0)))}" } ?? "write {}" },
      advice: { name, _ in
        ["default": "did you mean 'initialValue'?", "value": "did you mean 'initialValue'?"][name]
      })
    guard reader.isObject else { return (input, reader.diagnostics) }
    input.initialValue = reader.value("initialValue")
    input.type = reader.value("type").map(TypeDeclaration.init(json:))
    if let value = reader.value("buffer") {
      do throws(Diagnostics) {
        input.buffer = try Buffer(json: value)
      } catch {
        reader.append(error, under: "buffer")
      }
    }
    if let value = reader.value("time") {
      do throws(Diagnostics) {
        input.time = try EventTime.read(value)
        if case .map(let members) = value {
          input.timeExtensions = ValueMap(members.pairs.filter { $0.0.text?.hasPrefix("x-") == true })
        }
      } catch {
        reader.append(error, under: "time")
      }
    }
    if let type = input.type {
      do throws(Diagnostic) {
        let declared = try CELType(type)
        if let problem = input.initialProblem(declared) { reader.append(problem) }
      } catch {
        reader.append(error.prefixed(by: JSONPointer(["type"])))
      }
    }
    input.extensions = reader.extensions
    return (input, reader.diagnostics)
  }

  /// The declared type, or `dyn`.
  ///
  /// The declaration does not know its file: a name of the file's `types` is `dyn` here.
  public var declaredType: CELType { declaredType(in: .unknown) }

  /// The declared type, or `dyn`, in a file with these types.
  package func declaredType(in types: TypeTable) -> CELType {
    guard let type, let declared = try? CELType(type, in: types) else { return .dyn }
    return declared
  }

  /// The initial value, of the declared type.
  package func startingValue(in types: TypeTable) -> Value? {
    guard let initialValue else { return nil }
    return (try? InputConversion(declaredType(in: types)).convert(initialValue)) ?? initialValue
  }

  /// The errors in the use of a file's types, relative to the declaration.
  func problems(in types: TypeTable) -> [Diagnostic] {
    do throws(Diagnostic) {
      let declared = try CELType.declared(type, field: "type", in: types)
      return initialProblem(declared).map { [$0] } ?? []
    } catch {
      return [error]
    }
  }

  /// The error in an initial value that is not of the declared type; nil without one.
  private func initialProblem(_ declared: CELType) -> Diagnostic? {
    guard let initialValue else { return nil }
    do throws(InputConversion.Problem) {
      _ = try InputConversion(declared).convert(initialValue)
      return nil
    } catch {
      return Diagnostic(
        .wrongType, "'initialValue' does not fit the input's type: \(error.message)",
        at: JSONPointer(["initialValue"] + error.tokens), help: "change the value or the type")
    }
  }

  public var json: Value {
    var writer = MemberWriter()
    writer.add("initialValue", initialValue)
    writer.add("type", type?.json)
    writer.add("buffer", buffer?.json)
    writer.add("time", time.map { timeJSON($0) })
    writer.add(extensions)
    return writer.value
  }

  private func timeJSON(_ time: EventTime) -> Value {
    guard case .map(let members) = time.json, timeExtensions.count > 0 else { return time.json }
    return .map(ValueMap(Array(members.pairs) + Array(timeExtensions.pairs)))
  }
}

extension InputDeclaration {
  /// The capacity of an input's buffer, and the handling of a value when it is full.
  public struct Buffer: StreamFilePart {
    /// Number of values, 1 or more.
    public var capacity: Int
    public var whenFull: Pipeline.Input.WhenFull
    /// Custom members, whose names begin with `x-`.
    public var extensions: ValueMap

    package static let keys = ["capacity", "whenFull"]

    public init(capacity: Int, whenFull: Pipeline.Input.WhenFull, extensions: ValueMap = ValueMap()) {
      self.capacity = capacity
      self.whenFull = whenFull
      self.extensions = extensions
    }

    public init(json: Value) throws(Diagnostics) {
      var reader = MemberReader(json, what: "a buffer", keys: Self.keys)
      try reader.throwUnlessObject()
      capacity = reader.int("capacity") ?? 0
      whenFull = .fail
      if !reader.has("capacity") {
        reader.missing("capacity", in: "a buffer")
      } else if capacity < 1, !reader.diagnostics.hasErrors {
        reader.append(
          Diagnostic(
            .outOfRange, "'capacity' is \(capacity); expected 1 or more", at: JSONPointer(["capacity"])))
      }
      let words = Pipeline.Input.WhenFull.allCases.map(\.rawValue)
      if let word = reader.string("whenFull") {
        whenFull = Pipeline.Input.WhenFull(rawValue: word) ?? .fail
        if let problem = FieldSpec.Kind.choice(words).problem(with: .string(word), field: "whenFull") {
          reader.append(problem.prefixed(by: JSONPointer(["whenFull"])))
        }
      } else if !reader.has("whenFull") {
        reader.missing("whenFull", in: "a buffer")
      }
      extensions = reader.extensions
      try reader.diagnostics.throwErrors()
    }

    public var json: Value {
      var writer = MemberWriter()
      writer.add("capacity", .int(Int64(capacity)))
      writer.add("whenFull", whenFull.rawValue)
      writer.add(extensions)
      return writer.value
    }
  }
}
