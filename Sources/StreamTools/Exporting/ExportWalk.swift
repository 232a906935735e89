internal import CEL
internal import StreamCore
internal import StreamKit
internal import StreamRuntime

/// Walks through a stream and the streams it refers to, and translates it operator by operator.
final class ExportWalk {
  /// A stream exported as a property or a constant.
  struct Property {
    let name: String
    let documentation: String?
    let fragment: Fragment
  }

  struct Input {
    let name: String
    let code: String
    let type: SwiftType
    let initialValue: Value?
  }

  /// A function of the host, or a hook.
  struct HostFunction {
    let name: String
    let code: String
    let argument: SwiftType
    let isHook: Bool
  }

  let target: ExportTarget
  private let options: CompileOptions
  let swift = SwiftOutput()
  let script = JavaScriptOutput()
  private(set) var diagnostics = Diagnostics()
  private(set) var properties: [Property] = []
  private(set) var inputs: [Input] = []
  private(set) var functions: [HostFunction] = []
  /// The argument types found by a previous walk, for functions whose calls differ.
  private(set) var argumentTypes: [String: SwiftType]
  private var taken: Set<String>
  /// Whether a scheduler is needed.
  private(set) var usesTime = false
  /// The streams of files, by the file's identity.
  private var files: [String: Fragment] = [:]

  init(_ target: ExportTarget, options: CompileOptions, argumentTypes: [String: SwiftType]) {
    self.target = target
    self.options = options
    self.argumentTypes = argumentTypes
    taken = ["stream", "scheduler", "value", "outer", "acc", "error", "previous"]
  }

  /// The whole of a file's stream.
  func stream(of file: StreamFile) -> Fragment {
    write(file.model, in: ExportScope(file.model, file: file, outer: nil, pointer: JSONPointer()), hint: "Output")
  }

  // MARK: Models

  private func write(_ model: StreamModel, in scope: ExportScope, hint: String) -> Fragment {
    for (name, input) in model.inputs { declare(input, named: name) }
    var fragment = attempt(scope.pointer.appending("source"), in: scope, what: "the source") {
      () throws(ExportRefusal) in
      try ExportSources.write(
        model.source, ExportStep(walk: self, scope: scope, pointer: scope.pointer.appending("source"), hint: hint))
    }
    apply(model.operators, to: &fragment, in: scope, at: scope.pointer.appending("operators"), hint: hint)
    return fragment
  }

  /// Applies operators in order. A refused operator does not hide errors in later ones.
  func apply(
    _ operators: [PlacedOperator], to fragment: inout Fragment, in scope: ExportScope, at pointer: JSONPointer,
    hint: String
  ) {
    if !operators.isEmpty, fragment.type == .never { fragment.settle(as: .json) }
    for (index, placed) in operators.enumerated() {
      let place = pointer.appending(index)
      let name = placed.operator.name
      let before = fragment
      let isLast = index == operators.count - 1
      fragment = attempt(place.appending(name), in: scope, what: "'\(name)'") { () throws(ExportRefusal) in
        guard let rule = ExportRule.table.first(where: { $0.name == name }), let write = rule.writer(for: target) else {
          throw ExportRefusal("the operator")
        }
        if placed.onError == .skip { throw ExportRefusal("\"onError\": \"skip\"") }
        var after = before
        after.comment = placed.label
        let step = ExportStep(
          walk: self, scope: scope, pointer: place.appending(name), hint: isLast ? hint : hint + "Part")
        try write(placed.operator.definition, &after, step)
        return after
      }
    }
  }

  /// Returns the result of `write`. If it throws, the refusal is reported and a placeholder returned.
  private func attempt(
    _ pointer: JSONPointer, in scope: ExportScope, what: String,
    _ write: () throws(ExportRefusal) -> Fragment
  ) -> Fragment {
    do throws(ExportRefusal) {
      return try write()
    } catch {
      let language = target == .swift ? "Combine" : "RxJS"
      let diagnostic = Diagnostic(
        .notExportable, "\(what) cannot be exported to \(language): there is no translation of \(error.reason)",
        at: pointer, help: "'streamrun export --list' lists the exportable sources and operators")
      diagnostics.append(scope.file?.document.locate(diagnostic) ?? diagnostic)
      return Fragment("", .json)
    }
  }

  // MARK: Names

  /// A stream that an operator or a source refers to.
  func stream(
    _ reference: StreamReference, in scope: ExportScope, at pointer: JSONPointer, capturing: [ExportVariable],
    hint: String
  ) throws(ExportRefusal) -> Fragment {
    switch reference {
    case .name(let name): return try stream(named: name, in: scope)
    case .model(let model):
      let inner = ExportScope(model, file: scope.file, outer: scope, pointer: pointer, capturing: capturing)
      guard model.streams.isEmpty || inner.captured.isEmpty else {
        throw ExportRefusal("named streams within a stream that is started for a value")
      }
      return write(model, in: inner, hint: hint)
    }
  }

  /// The stream of a name, else the input of it.
  func stream(named name: String, in scope: ExportScope) throws(ExportRefusal) -> Fragment {
    guard let home = scope.home(ofStream: name),
      let model = home.model.streams[name]
    else { return try input(named: name) }
    if let written = home.written[name] { return written }
    let inner = ExportScope(
      model, file: home.file, outer: home, pointer: home.pointer + JSONPointer(["streams", name]))
    let fragment = property(name, model, in: inner)
    home.written[name] = fragment
    return fragment
  }

  /// The stream of a file that another file names.
  func stream(ofFile path: String, in scope: ExportScope) throws(ExportRefusal) -> Fragment {
    guard let loader = options.loader else { throw ExportRefusal("the file '\(path)', because no loader is available") }
    let loaded: StreamFile
    do throws(Diagnostics) {
      loaded = try loader.load(path, relativeTo: scope.file?.identity)
    } catch {
      throw ExportRefusal("the file '\(path)', which cannot be read")
    }
    if let written = files[loaded.identity] { return written }
    let last = path.split(separator: "/").last.map(String.init) ?? path
    let name = last.hasSuffix(".json") ? String(last.dropLast(5)) : last
    let fragment = property(
      name, loaded.model, in: ExportScope(loaded.model, file: loaded, outer: nil, pointer: JSONPointer()))
    files[loaded.identity] = fragment
    return fragment
  }

  /// Exports a stream as a property and returns its name.
  private func property(_ name: String, _ model: StreamModel, in scope: ExportScope) -> Fragment {
    let code = freeName(SwiftName.variable(name), target == .rxjs ? "$" : "Stream")
    var fragment = write(model, in: scope, hint: SwiftName.type(name))
    if fragment.type == .never { fragment.settle(as: .json) }
    properties.append(
      Property(name: code, documentation: model.description ?? model.name, fragment: fragment))
    return Fragment(code, fragment.type)
  }

  /// A name that nothing else has; in JavaScript those of streams end in `$`.
  private func freeName(_ name: String, _ suffix: String) -> String {
    var free = target == .rxjs ? name + suffix : name
    var number = 2
    while taken.contains(free) {
      free = number == 2 ? name + suffix : name + String(number)
      number += 1
      if number == 3, taken.contains(free) { continue }
    }
    taken.insert(free)
    return free
  }

  func input(named name: String) throws(ExportRefusal) -> Fragment {
    guard let input = inputs.first(where: { $0.name == name }) else { throw ExportRefusal("the input '\(name)'") }
    return Fragment(input.code, input.type)
  }

  private func declare(_ input: InputDeclaration, named name: String) {
    guard !inputs.contains(where: { $0.name == name }) else { return }
    let type = swift.records.type(of: input.declaredType, hint: SwiftName.type(name))
    if type == .json { swift.needs(.json) }
    inputs.append(
      Input(
        name: name, code: freeName(SwiftName.variable(name), target == .rxjs ? "" : "Input"), type: type,
        initialValue: input.startingValue))
  }

  /// Returns the name of the scheduler.
  func scheduler() -> String {
    usesTime = true
    return "scheduler"
  }

  /// Returns the name of a host function called with an argument of this type.
  func function(_ name: String, argument: SwiftType, isHook: Bool = false) -> (code: String, argument: SwiftType) {
    let known = argumentTypes[name].map { swift.common($0, argument) } ?? argument
    argumentTypes[name] = known
    if known == .json { swift.needs(.json) }
    if let function = functions.first(where: { $0.name == name }) { return (function.code, known) }
    let code = freeName(SwiftName.variable(name), target == .rxjs ? "" : "Function")
    functions.append(HostFunction(name: name, code: code, argument: known, isHook: isHook))
    return (code, known)
  }
}
