package import CEL
package import StreamCore

/// A parameter of a stream file or of a definition: its type, and its value if none is given.
package struct ParameterDeclaration: StreamFilePart {
  /// The type of the value. By default any JSON value.
  package var type: TypeDeclaration?
  /// The value if none is given. Without it the parameter must be given.
  package var defaultValue: Value?
  package var description: String?
  /// Custom members, whose names begin with `x-`.
  package var extensions = ValueMap()

  package init(type: TypeDeclaration? = nil, default defaultValue: Value? = nil, description: String? = nil) {
    self.type = type
    self.defaultValue = defaultValue
    self.description = description
  }

  package static let keys = ["type", "default", "description"]

  package init(json: Value) throws(Diagnostics) { self = try Self.complete(Self.read(json)) }

  package static func read(_ json: Value) -> (ParameterDeclaration, Diagnostics) {
    var parameter = ParameterDeclaration()
    var reader = MemberReader(
      json, what: "a parameter", keys: keys,
      form: { value in
        value.text.map { "write {\"type\": \(JSONWriter.compact(.string($0)))}" }
          ?? "write {\"default\": \(JSONWriter.compact(value))}"
      },
      advice: { name, _ in
        ["initialValue": "did you mean 'default'?", "value": "did you mean 'default'?"][name]
      })
    guard reader.isObject else { return (parameter, reader.diagnostics) }
    parameter.type = reader.value("type").map(TypeDeclaration.init(json:))
    parameter.defaultValue = reader.value("default")
    parameter.description = reader.string("description")
    parameter.extensions = reader.extensions
    if let type = parameter.type {
      do throws(Diagnostic) {
        let declared = try CELType(type)
        if let value = parameter.defaultValue {
          do throws(InputConversion.Problem) {
            _ = try InputConversion(declared).convert(value)
          } catch {
            reader.append(
              Diagnostic(
                .wrongType, "'default' does not fit the parameter's type: \(error.message)",
                at: JSONPointer(["default"] + error.tokens), help: "change the value or the type"))
          }
        }
      } catch {
        reader.append(error.prefixed(by: JSONPointer(["type"])))
      }
    }
    return (parameter, reader.diagnostics)
  }

  /// The declared type, or `dyn`.
  package var declaredType: CELType { type.flatMap { try? CELType($0) } ?? .dyn }

  package var json: Value {
    var writer = MemberWriter()
    writer.add("type", type?.json)
    writer.add("default", defaultValue)
    writer.add("description", description)
    writer.add(extensions)
    return writer.value
  }

  /// The names that expressions have for values of the stream, which no parameter may have.
  private static let reserved: Set<String> = [
    "value", "index", "acc", "key", "keys", "error", "left", "right", "first", "second", "previous", "count", "values",
    "attempt", "argument", "windowStart", "windowEnd",
  ]

  /// Whether expressions have a variable of this name.
  static func isReserved(_ name: String) -> Bool { reserved.contains(name) }

  /// Reads the parameters of a file or a definition, and checks their names.
  static func readAll(_ reader: inout MemberReader) -> Members<ParameterDeclaration> {
    let parameters = reader.named("parameters", what: "a parameter", read)
    for name in parameters.names {
      let problem: String? =
        if reserved.contains(name) {
          "'\(name)' is a variable of expressions and cannot name a parameter"
        } else if !VariableName.isIdentifier(name) {
          "'\(name)' cannot be a name in expressions"
        } else {
          nil
        }
      guard let problem else { continue }
      reader.append(
        Diagnostic(
          .invalidIdentifier, problem, at: JSONPointer(["parameters", name]), part: .key,
          help: "rename the parameter; a name has letters, digits and underscores"))
    }
    return parameters
  }
}

/// A named list of operators with parameters, which `apply` is replaced by.
package struct OperatorDefinitionPart: StreamFilePart {
  package var description: String?
  package var parameters: Members<ParameterDeclaration> = [:]
  package var operators: [PlacedOperator] = []
  /// Tests of the operators, which their input `values` feeds.
  package var tests: [StreamTest] = []
  /// Custom members, whose names begin with `x-`.
  package var extensions = ValueMap()

  package static let keys = ["description", "parameters", "operators", "tests"]

  package init(json: Value) throws(Diagnostics) { self = try Self.complete(Self.read(json)) }

  private init() {}

  package static func read(_ json: Value) -> (OperatorDefinitionPart, Diagnostics) {
    var part = OperatorDefinitionPart()
    var reader = MemberReader(
      json, what: "a definition", keys: keys,
      form: { value in if case .list = value { "write {\"operators\": […]}" } else { nil } },
      advice: { name, _ in
        ["source", "stream", "inputs"].contains(name)
          ? "a definition has operators alone; put it into a file of its own, and write {\"apply\": {\"file\": …}}"
          : nil
      })
    guard reader.isObject else { return (part, reader.diagnostics) }
    part.description = reader.string("description")
    part.parameters = ParameterDeclaration.readAll(&reader)
    for name in ["definition", "file"] where part.parameters[name] != nil {
      reader.append(
        Diagnostic(
          .invalidIdentifier, "'\(name)' is a field of 'apply' and cannot name a parameter of a definition",
          at: JSONPointer(["parameters", name]), part: .key, help: "rename the parameter"))
    }
    part.operators = reader.partialElements("operators", PlacedOperator.read) ?? []
    if !reader.has("operators") { reader.missing("operators", in: "a definition") }
    part.tests = StreamTest.readAll(&reader)
    part.extensions = reader.extensions
    return (part, reader.diagnostics)
  }

  package var json: Value {
    var writer = MemberWriter()
    writer.add("description", description)
    writer.add("parameters", parameters.mapValues(\.json))
    writer.add("operators", operators.map(\.json), always: true)
    writer.add("tests", tests.map(\.json))
    writer.add(extensions)
    return writer.value
  }
}

extension StreamModel {
  /// Returns the errors with help for operators that have the name of a definition.
  func advising(_ problems: Diagnostics) -> Diagnostics {
    guard !definitions.isEmpty, problems.hasErrors else { return problems }
    return Diagnostics(
      problems.all.map { problem in
        guard problem.code == .unknownOperator, let name = problem.pointer.tokens.last, let found = definitions[name]
        else { return problem }
        var advised = problem
        let arguments = found.parameters.filter { $1.defaultValue == nil }.map { ", \"\($0.name)\": …" }.joined()
        advised.help = "write {\"apply\": {\"definition\": \"\(name)\"\(arguments)}} to apply the definition"
        return advised
      })
  }
}

extension CELExpression {
  /// Whether the text is a name that expressions can use.
  var isName: Bool {
    guard let first = text.utf8.first, first == UInt8(ascii: "_") || first.isASCIILetter,
      text.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || $0.isASCIILetter || (48...57).contains($0) })
    else { return false }
    let environment = ExpressionEnvironment(variables: [Variable(text)])
    return (try? plan(in: environment))?.usedVariables.count == 1
  }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool { (65...90).contains(self) || (97...122).contains(self) }
}
