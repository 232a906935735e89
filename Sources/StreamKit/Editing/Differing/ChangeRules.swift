internal import CEL
internal import StreamCore

/// What changes mean, all in one place.
///
/// 1. What is for people alone changes no behaviour: `name`, `description`, `id` of a file, `format`, `$schema`, an
///    operator's `label`, tests, whatever begins with `x-`; and an expression or a number that is only written otherwise.
/// 2. A field of an operator, or its `onError`, changes: what it has stored is kept if its stored form is the same
///    (`OperatorFields.storedForm`), unless the meaning depends on the field (`fieldsOfStored`).
/// 3. What an operator has stored is lost where it is taken away, becomes another operator, gets another `id`, changes
///    its place without having an `id`, or takes other streams than before.
/// 4. An input's `initialValue` is what is stored of the input: it is lost with a new one.
/// 5. Everything else is structure: sources, items, inputs, what is required, operators that store nothing, and
///    whatever is added, which has nothing to lose.
enum ChangeRules {
  /// What an operator is, as far as a change is concerned.
  struct Stored {
    let name: String
    let form: String?
    let fields: Set<String>
    /// The operator with its numbers and expressions as they are meant; nil if it cannot be read.
    let meaning: Operator?

    init(_ placed: Value) {
      let (read, problems) = PlacedOperator.read(placed)
      meaning = problems.hasErrors ? nil : read.operator
      name = StreamRole.placedOperator.kind(of: placed) ?? ""
      switch meaning {
      // What a host's operator stores is its own affair: as any other, it is asked for nothing but its name.
      case .custom?, nil: (form, fields) = (name, [])
      case let known?:
        form = known.definition.storedForm
        fields = type(of: known.definition).fieldsOfStored
      }
    }

    var keepsState: Bool { form != nil }
  }

  /// What it means that a member of a stream changes which is no list and no object of names.
  static func effect(ofMember name: String) -> ChangeEffect { name == "requires" ? .structure : .noBehavior }

  /// What it means that a member of an input changes.
  static func effect(ofInputMember name: String) -> ChangeEffect {
    name == "initialValue" ? .stateLost : name.hasPrefix("x-") ? .noBehavior : .structure
  }

  /// What it means that something beside an operator's name changes.
  static func effect(besideOperator name: String, of stored: Stored) -> ChangeEffect {
    switch name {
    case "id": stored.keepsState ? .stateLost : .noBehavior
    case "onError": .stateKept
    default: .noBehavior
    }
  }

  /// What it means that a field of an operator changes.
  static func effect(
    ofField name: String, from old: Value?, to new: Value?, role: StreamRole, _ before: Stored, _ after: Stored
  ) -> ChangeEffect {
    if isSameMeaning(old, new, role) { return .noBehavior }
    if before.keepsState, before.form != after.form || before.fields.contains(name) { return .stateLost }
    return .stateKept
  }

  /// What it means that an operator takes another stream than before.
  static func effect(ofOtherStreamIn stored: Stored) -> ChangeEffect { stored.keepsState ? .stateLost : .structure }

  /// What it means that an operator is taken away, or that another takes its place.
  static func effect(ofRemoving placed: Value) -> ChangeEffect { losesState(placed) ? .stateLost : .structure }

  /// What it means that an operator changes its place: what is stored under an `id` is found again.
  static func effect(ofMoving placed: Value) -> ChangeEffect {
    placed.member("id") == nil && losesState(placed) ? .stateLost : .structure
  }

  /// What it means that an item or a stream is taken away, with the operators in it.
  static func effect(ofRemovingStream model: Value) -> ChangeEffect {
    guard case .list(let operators)? = model.member("operators") else { return .structure }
    return operators.contains(where: losesState) ? .stateLost : .structure
  }

  private static func losesState(_ placed: Value) -> Bool { Stored(placed).keepsState }

  /// Whether two values are only written otherwise: `1` and `1.0` where fractions are allowed, an expression's spaces.
  static func isSameMeaning(_ old: Value?, _ new: Value?, _ role: StreamRole) -> Bool {
    guard let old, let new else { return false }
    switch (role, old, new) {
    case (.expression, .string(let first), .string(let second)):
      return Expression(first).hasSameMeaning(as: Expression(second))
    case (.fraction, .int(let first), .double(let second)), (.fraction, .double(let second), .int(let first)):
      return Double(first) == second
    default: return old == new
    }
  }
}
