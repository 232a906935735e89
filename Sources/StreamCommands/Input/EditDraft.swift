internal import StreamCore
internal import StreamDriving
internal import StreamEditing

/// An edit as given on the command line, with the values of related options.
struct EditDraft {
  enum Kind {
    case set(NamedArgument)
    case remove(String)
    case appendItem(String)
    case insertItem(String)
    case removeItem(Int)
    case addOperator(String)
    case removeOperator(String)
    case moveOperator(PlacePair)
    case rename(String)
    case setInput(NamedArgument)
  }

  /// The place on the command line.
  let order: Int
  let kind: Kind
  var delay: Double?
  var place: Int?

  init(_ order: Int, _ kind: Kind) {
    self.order = order
    self.kind = kind
  }

  var takesDelay: Bool {
    switch kind {
    case .appendItem, .insertItem: true
    default: false
    }
  }

  var takesPlace: Bool {
    switch kind {
    case .insertItem, .addOperator: true
    default: false
    }
  }

  /// Returns the edit.
  ///
  /// - Throws: The errors in its JSON, with their location in the argument.
  func edit() throws(Diagnostics) -> StreamEdit {
    switch kind {
    case .set(let argument): return .set(try pointer(argument.name), try argument.fragment(option: "--set"))
    case .remove(let text): return .remove(try pointer(text))
    case .appendItem(let text): return .appendItem(try fragment(text, "--append-item"), delay: delay)
    case .insertItem(let text):
      guard let place else {
        throw Diagnostics(
          .invalidArgument, "--insert-item must be followed by --at", help: "--append-item adds an item at the end")
      }
      return .insertItem(try fragment(text, "--insert-item"), delay: delay, at: place)
    case .removeItem(let index): return .removeItem(at: index)
    case .addOperator(let text): return .addOperator(try fragment(text, "--add-operator"), at: place)
    case .removeOperator(let text): return .removeOperator(Self.reference(text))
    case .moveOperator(let pair): return .moveOperator(from: Self.reference(pair.from), to: pair.to)
    case .rename(let name): return .rename(name)
    case .setInput(let argument): return .setInput(argument.name, try argument.fragment(option: "--set-input"))
    }
  }

  /// A number is an operator's place, anything else its id.
  private static func reference(_ text: String) -> OperatorReference { Int(text).map { .index($0) } ?? .id(text) }

  private func pointer(_ text: String) throws(Diagnostics) -> JSONPointer {
    try Diagnostics.listing { () throws(Diagnostic) in try JSONPointer(parsing: text) }
  }

  private func fragment(_ text: String, _ option: String) throws(Diagnostics) -> JSONFragment {
    do throws(Diagnostics) {
      return try JSONFragment(parsing: text, name: option)
    } catch {
      throw error.helped("a string needs its quotes: \(option) '\"text\"'")
    }
  }
}

extension NamedArgument {
  /// The text as JSON in its own spelling.
  fileprivate func fragment(option: String) throws(Diagnostics) -> JSONFragment {
    do throws(Diagnostics) {
      return try JSONFragment(parsing: text, name: "\(option) \(name)")
    } catch {
      throw error.helped("a string needs its quotes: \(option) '\(name)=\"text\"'")
    }
  }
}
