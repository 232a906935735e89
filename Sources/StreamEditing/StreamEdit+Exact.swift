internal import StreamCore
internal import StreamKit

extension StreamEdit {
  /// The exact edit that this one is in the document.
  func exact(in document: JSONDocument) throws(Diagnostic) -> StreamEdit {
    switch self {
    case .set, .insert, .remove, .move, .renameMember: return self
    case .appendItem(let value, let delay):
      let count = try count(of: "stream", in: document)
      return .insert(JSONPointer(["stream", String(count)]), item(value, delay))
    case .insertItem(let value, let delay, let index):
      try check(index, in: "stream", of: document, isInsertion: true)
      return .insert(JSONPointer(["stream", String(index)]), item(value, delay))
    case .removeItem(let index):
      try check(index, in: "stream", of: document)
      return .remove(JSONPointer(["stream", String(index)]))
    case .addOperator(let json, let index):
      guard document.value.member("operators") != nil else {
        if let index, index != 0 { try check(index, in: "operators", of: document, isInsertion: true) }
        return .insert(JSONPointer(["operators"]), JSONFragment(list: [json]))
      }
      let count = try count(of: "operators", in: document)
      if let index { try check(index, in: "operators", of: document, isInsertion: true) }
      return .insert(JSONPointer(["operators", String(index ?? count)]), json)
    case .removeOperator(let reference):
      return .remove(JSONPointer(["operators", String(try index(of: reference, in: document))]))
    case .moveOperator(let reference, let target):
      let source = try index(of: reference, in: document)
      try check(target, in: "operators", of: document)
      return .move(
        from: JSONPointer(["operators", String(source)]), to: JSONPointer(["operators", String(target)]))
    case .rename(let name): return .set(JSONPointer(["name"]), JSONFragment(.string(name)))
    case .setInput(let name, let value):
      try checkInput(name, in: document)
      return .set(JSONPointer(["inputs", name, "initialValue"]), value)
    }
  }

  /// An item as the file has it, the value in its own spelling.
  private func item(_ value: JSONFragment, _ delay: Double?) -> JSONFragment {
    var members: [(String, JSONFragment)] = [("value", value)]
    if let delay {
      members.append(("operators", JSONFragment([["delay": ["seconds": .seconds(delay)]]])))
    }
    return JSONFragment(object: members)
  }

  private func count(of key: String, in document: JSONDocument) throws(Diagnostic) -> Int {
    guard let member = document.value.member(key) else {
      throw Diagnostic(
        .invalidPointer,
        key == "stream"
          ? "the file has a 'source' instead of items" : "the file has no operators",
        help: key == "stream" ? "write the items as \"stream\": [{\"value\": 1}] instead of 'source'" : nil)
    }
    guard case .list(let elements) = member else {
      throw Diagnostic(
        .wrongType, "'\(key)' is \(member.describedType); expected an array", at: JSONPointer([key]))
    }
    return elements.count
  }

  private func check(
    _ index: Int, in key: String, of document: JSONDocument, isInsertion: Bool = false
  ) throws(Diagnostic) {
    let what = key == "stream" ? "item" : "operator"
    let count = try key == "operators" && document.value.member(key) == nil ? 0 : count(of: key, in: document)
    guard index < 0 || index >= count + (isInsertion ? 1 : 0) else { return }
    let found = "there \(count == 1 ? "is" : "are") \(count.counted(what))"
    let last = isInsertion ? count : count - 1
    throw Diagnostic(
      .outOfRange, "\(isInsertion ? "no \(what) can be added at \(index)" : "there is no \(what) \(index)"): \(found)",
      at: document.value.member(key) == nil ? JSONPointer() : JSONPointer([key]),
      help: last < 0 ? nil : last == 0 ? "the only number is 0" : "the numbers are 0 to \(last)")
  }

  private func index(of reference: OperatorReference, in document: JSONDocument) throws(Diagnostic) -> Int {
    switch reference {
    case .index(let index):
      try check(index, in: "operators", of: document)
      return index
    case .id(let id):
      _ = try count(of: "operators", in: document)
      guard case .list(let operators)? = document.value.member("operators") else { return 0 }
      let ids = operators.map { $0.member("id")?.text }
      if let index = ids.firstIndex(of: id) { return index }
      let known = ids.compactMap(\.self)
      throw Diagnostic(
        .invalidPointer, "no operator has the id '\(id)'", at: JSONPointer(["operators"]),
        notes: [known.isEmpty ? "no operator has an id" : "ids are: \(known.listed)"],
        help: nearestName(to: id, among: known).map { "did you mean '\($0)'?" }
          ?? (known.isEmpty ? "use its number, from 0, or give it an id first" : nil))
    }
  }

  private func checkInput(_ name: String, in document: JSONDocument) throws(Diagnostic) {
    guard document.value.member("inputs")?.member(name) == nil else { return }
    var known: [String] = []
    if case .map(let inputs)? = document.value.member("inputs") { known = inputs.keys.compactMap(\.text) }
    throw Diagnostic(
      .unknownInput, "the file has no input '\(name)'",
      at: known.isEmpty ? JSONPointer() : JSONPointer(["inputs"]),
      notes: [known.isEmpty ? "it has none" : "inputs: \(known.listed)"],
      help: nearestName(to: name, among: known).map { "did you mean '\($0)'?" }
        ?? "declare it with --set '/inputs/\(name)={}'")
  }
}

extension JSONFragment {
  /// A list of these, each in its spelling.
  fileprivate init(list elements: [JSONFragment]) {
    self.init(.list(elements.map(\.value)), node: .list(elements.map(\.node)))
  }

  /// An object of these, each in its spelling.
  fileprivate init(object members: [(String, JSONFragment)]) {
    self.init(
      .map(ValueMap(members.map { (.string($0.0), $0.1.value) })),
      node: .object(keys: members.map { JSONNode.key(.string($0.0)) }, values: members.map(\.1.node)))
  }
}
