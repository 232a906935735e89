internal import StreamCore

/// What changes mean, all in one place.
///
/// 1. What is for people alone changes no behavior: `name`, `description`, `id` of a file, `format`, `$schema`, an
///    operator's `label`, tests, whatever begins with `x-`; and a field that is only written otherwise, which
///    `BehaviorForm` knows: an expression's spaces, `1.0` for `1`, a default.
/// 2. A field of an operator, or its `onError`, changes: what it keeps still fits if the form of its state is the same
///    (`OperatorFields.stateForm`), unless the meaning depends on the field (`fieldsOfState`).
/// 3. What an operator keeps is lost where it is taken away, becomes another operator, gets another `id`, changes
///    its place without having an `id`, or takes other streams than before.
/// 4. An input's `initialValue` is what is stored of the input: it is lost with a new one.
/// 5. Everything else is structure: sources, items, inputs, what is required, operators that store nothing, and
///    whatever is added, which has nothing to lose.
enum ChangeRules {
  /// What an operator is, as far as a change is concerned.
  struct Stored {
    let name: String
    let keepsState: Bool
    let form: String
    /// The fields on which the meaning of what is kept depends.
    let fields: Set<String>
    /// The fields in the one spelling that they have by their meaning.
    let meaning: Value

    init(_ placed: Value) {
      let (read, problems) = PlacedOperator.read(placed)
      name = StreamRole.placedOperator.kind(of: placed) ?? ""
      switch read.operator {
      case let known where !known.isCustom && !problems.hasErrors:
        keepsState = known.definition.keepsState
        form = known.definition.stateForm
        fields = type(of: known.definition).fieldsOfState
        meaning = BehaviorForm.of(known.definition)
      default:
        // What a host's operator keeps is its own affair: it is known by its name alone.
        (keepsState, form, fields) = (true, name, [])
        meaning = placed.member(name) ?? .null
      }
    }
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
  static func effect(ofField name: String, _ before: Stored, _ after: Stored) -> ChangeEffect {
    if before.meaning.member(name) == after.meaning.member(name) { return .noBehavior }
    if before.keepsState, before.form != after.form || before.fields.contains(name) { return .stateLost }
    return .stateKept
  }

  /// What it means that a field of a source changes.
  static func effect(ofSourceField name: String, from old: Value, to new: Value) -> ChangeEffect {
    let forms = [old, new].map { fields in
      (try? StreamModel(json: ["source": fields])).flatMap(\.source.definition).map { BehaviorForm.of($0) }
    }
    guard let before = forms[0], let after = forms[1] else { return .structure }
    return before.member(name) == after.member(name) ? .noBehavior : .structure
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
}
