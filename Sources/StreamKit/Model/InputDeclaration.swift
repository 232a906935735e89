public import CEL
public import StreamCore
public import StreamRuntime

/// An input: what the host feeds to the stream under a name.
public struct InputDeclaration: Hashable, Sendable {
  /// With it the input is a current-value subject, without it a passthrough subject.
  public var initialValue: Value?
  /// What the values are, as written; with it expressions are checked and run faster.
  public var type: Value?
  /// What waits for a subscriber that has asked for nothing. Without it such values are dropped, as in Combine.
  public var buffer: InputBuffer?
  /// The author's own members, which begin with `x-`.
  public var extensions: ValueMap

  public init(
    initialValue: Value? = nil, type: Value? = nil, buffer: InputBuffer? = nil, extensions: ValueMap = ValueMap()
  ) {
    self.initialValue = initialValue
    self.type = type
    self.buffer = buffer
    self.extensions = extensions
  }

  static let keys = ["initialValue", "type", "buffer"]

  /// The declaration as far as it can be read, and all that is wrong with it.
  static func read(_ json: Value) -> (InputDeclaration, Diagnostics) {
    var input = InputDeclaration()
    var reader = MemberReader(json, what: "an input", keys: keys)
    guard reader.isObject else { return (input, reader.diagnostics) }
    input.initialValue = reader.value("initialValue")
    input.type = reader.value("type")
    if let value = reader.value("buffer") {
      do throws(Diagnostics) {
        input.buffer = try InputBuffer(value)
      } catch {
        reader.append(error, under: "buffer")
      }
    }
    if let type = input.type {
      do throws(Diagnostic) {
        let declared = try CELType(declaration: type)
        if let initialValue = input.initialValue {
          do throws(InputConversion.Problem) {
            _ = try InputConversion(declared).convert(initialValue)
          } catch {
            reader.append(
              Diagnostic(
                .wrongType, "'initialValue' does not fit the input's type: \(error.message)",
                at: JSONPointer(["initialValue"] + error.tokens), help: "change the value or the type"))
          }
        }
      } catch {
        reader.append(error.prefixed(by: JSONPointer(["type"])))
      }
    }
    input.extensions = reader.extensions
    return (input, reader.diagnostics)
  }

  /// The declared type, or `dyn`.
  public var declaredType: CELType {
    guard let type, let declared = try? CELType(declaration: type) else { return .dyn }
    return declared
  }

  /// The initial value, of the declared type.
  var startingValue: Value? {
    guard let initialValue else { return nil }
    return (try? InputConversion(declaredType).convert(initialValue)) ?? initialValue
  }

  var value: Value {
    var writer = MemberWriter()
    writer.add("initialValue", initialValue)
    writer.add("type", type)
    writer.add("buffer", buffer?.value)
    writer.add(extensions)
    return writer.value
  }
}

/// How many values of an input wait, and what happens when there is no more room.
public struct InputBuffer: Hashable, Sendable {
  /// Values, 1 or more.
  public var capacity: Int
  public var whenFull: PipelineInput.WhenFull
  /// The author's own members, which begin with `x-`.
  public var extensions = ValueMap()

  static let keys = ["capacity", "whenFull"]

  init(_ json: Value) throws(Diagnostics) {
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
    let words = PipelineInput.WhenFull.allCases.map(\.rawValue)
    if let word = reader.string("whenFull") {
      whenFull = PipelineInput.WhenFull(rawValue: word) ?? .fail
      if let problem = FieldKind.choice(words).problem(with: .string(word), field: "whenFull") {
        reader.append(problem.prefixed(by: JSONPointer(["whenFull"])))
      }
    } else if !reader.has("whenFull") {
      reader.missing("whenFull", in: "a buffer")
    }
    extensions = reader.extensions
    try reader.diagnostics.throwErrors()
  }

  var value: Value {
    var writer = MemberWriter()
    writer.add("capacity", .int(Int64(capacity)))
    writer.add("whenFull", whenFull.rawValue)
    writer.add(extensions)
    return writer.value
  }
}

extension CELType {
  /// The type that a declaration writes: a CEL type name, an object of fields, or a list of the type of its elements.
  init(declaration: Value) throws(Diagnostic) { try self.init(declaration, levels: Self.levelLimit) }

  /// How deep lists and objects of a declared type may nest, as in the name of a type.
  private static let levelLimit = 32

  private init(_ declaration: Value, levels: Int) throws(Diagnostic) {
    guard levels >= 0 else {
      throw Diagnostic(
        .tooDeep, "a type nests more than \(Self.levelLimit) levels deep", help: "declare the inner part as \"dyn\"")
    }
    switch declaration {
    case .string(let text):
      guard let type = CELType(parsing: text) else {
        let names = [
          "dyn", "null", "bool", "int", "uint", "double", "string", "bytes", "timestamp", "duration", "list(T)",
          "map(K, V)",
        ]
        throw Diagnostic(
          .invalidType, "\"\(text)\" is not a type", notes: ["types are: \(names.joined(separator: ", "))"],
          help: nearestName(to: text, among: names).map { "did you mean \"\($0)\"?" })
      }
      self = type
    case .map(let map):
      var fields: [RecordField] = []
      for case (.string(let name), let value) in map.pairs {
        do throws(Diagnostic) {
          fields.append(RecordField(name, try CELType(value, levels: levels - 1)))
        } catch {
          throw error.prefixed(by: JSONPointer([name]))
        }
      }
      self = .record(fields)
    case .list(let elements):
      guard let element = elements.first, elements.count == 1 else {
        throw Diagnostic(
          .wrongType, "a type is a list of \(elements.count); expected a list of one, the type of the elements",
          help: "write [\"string\"], or [{\"id\": \"int\"}]")
      }
      do throws(Diagnostic) {
        self = .list(try CELType(element, levels: levels - 1))
      } catch {
        throw error.prefixed(by: JSONPointer(["0"]))
      }
    default:
      throw Diagnostic(
        .wrongType,
        "a type is \(declaration.describedType); expected a type's name, an object of fields or a list of one type")
    }
  }
}
