internal import StreamCore
internal import StreamEditing
internal import StreamKit
internal import StreamTools

extension StreamEdit {
  /// Reads an edit: an object with the name of the edit as its only key, such as
  /// `{"set": {"pointer": "/operators/0/debounce/seconds", "value": 0.5}}`.
  init(json: Value) throws(Diagnostics) {
    guard case .map(let map) = json, map.count == 1, let (key, parts) = map.pairs.first(where: { _ in true }),
      let name = key.text
    else { throw Diagnostics(.invalidArgument, "an edit is an object with one key") }
    do throws(Diagnostic) {
      switch name {
      case "set": self = .set(try parts.pointer("pointer"), try parts.fragment())
      case "insert": self = .insert(try parts.pointer("pointer"), try parts.fragment())
      case "remove": self = .remove(try parts.pointer("pointer"))
      case "move": self = .move(from: try parts.pointer("from"), to: try parts.pointer("to"))
      case "renameMember":
        guard let to = parts.member("to")?.text else {
          throw Diagnostic(.invalidArgument, "'renameMember' has no name in 'to'")
        }
        self = .renameMember(try parts.pointer("pointer"), to: to)
      default:
        throw Diagnostic(
          .invalidArgument, "there is no edit '\(name)'",
          help: "there are set, insert, remove, move and renameMember")
      }
    } catch {
      throw Diagnostics([error])
    }
  }
}

extension Value {
  fileprivate func pointer(_ name: String) throws(Diagnostic) -> JSONPointer {
    guard let text = member(name)?.text else {
      throw Diagnostic(.invalidArgument, "the edit has no JSON pointer in '\(name)'")
    }
    return try JSONPointer(parsing: text)
  }

  fileprivate func fragment() throws(Diagnostic) -> JSONFragment {
    guard let value = member("value") else { throw Diagnostic(.invalidArgument, "the edit has no 'value'") }
    return JSONFragment(try PageValue.read(value))
  }
}
