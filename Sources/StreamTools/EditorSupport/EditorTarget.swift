/// A declaration in a file that other places refer to by its name.
struct EditorTarget: Hashable {
  enum Kind: String, Hashable, CaseIterable {
    case stream, input, parameter, definition, type, output

    /// The member of a stream, or of a definition, that holds the declarations.
    var section: String { rawValue + "s" }

    /// The kind with its article, for messages.
    var withArticle: String { self == .input || self == .output ? "an \(rawValue)" : "a \(rawValue)" }

    /// The kinds whose names must differ from names of this kind.
    var rivals: [Kind] {
      switch self {
      case .stream, .input, .parameter: [.stream, .input, .parameter]
      case .definition, .type, .output: [self]
      }
    }

    /// Whether expressions or types contain the name, so that it must be an identifier.
    var isIdentifier: Bool { self == .parameter || self == .type }

    init?(section: String) {
      guard let kind = Self.allCases.first(where: { $0.section == section }) else { return nil }
      self = kind
    }
  }

  let kind: Kind
  let name: String
  /// The member of the section.
  let node: Int
}

/// A name in a file, which declares something or refers to a declaration.
struct EditorName: Hashable {
  enum Role: Hashable {
    case declaration(EditorTarget.Kind)
    case use(Use)
  }

  /// The declarations that a name can refer to.
  struct Use: Hashable {
    /// In order of precedence.
    let kinds: [EditorTarget.Kind]
    /// The object whose declarations are meant; nil for those of the objects around the name.
    var owner: Int?

    static let streamOrInput = Use(kinds: [.stream, .input])
    static let input = Use(kinds: [.input])
    static let parameter = Use(kinds: [.parameter])
    static let definition = Use(kinds: [.definition])
    static let type = Use(kinds: [.type])
    static let output = Use(kinds: [.output])
  }

  let text: String
  let role: Role
  /// With the quotation marks of a whole string.
  let range: Range<Int>
  /// Whether the name is a whole string, not a part of an expression or a type.
  var isString = true

  /// Returns the text of the file for another name.
  func written(_ name: String) -> String { isString ? SnippetText.quoted(name) : name }
}
