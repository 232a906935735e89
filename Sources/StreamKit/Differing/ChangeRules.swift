internal import StreamCore

/// The effects of changes, in one place.
///
/// 1. Information for people changes no behavior: `name`, `description`, `id` of a file, `format`, `$schema`, an
/// operator's `label`, tests, members that begin with `x-`; nor does a different spelling known to `BehaviorForm`:
/// white space in an expression, `1.0` for `1`, a default. 2. If a field of an operator, or its `onError`, changes, its
/// state is kept if the form of the state is the same (`OperatorFields.stateForm`), unless the meaning of the state
/// depends on the field (`fieldsOfState`). 3. The state of an operator is lost if it is removed, replaced by another
/// operator, gets another `id`, moves without an `id`, or uses other streams. 4. An input's `initialValue` is its
/// state, which a new one replaces. 5. Everything else is structure: sources, items, inputs, requirements, operators
/// without state, and additions, which have no state to lose.
enum ChangeRules {
  /// The properties of an operator that determine the effect of a change.
  struct Stored {
    let name: String
    let keepsState: Bool
    let form: String
    /// The fields that determine the meaning of the state.
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
        // The state of a host's operator is private: only its name is known.
        (keepsState, form, fields) = (true, name, [])
        if case .custom(let custom) = read.operator, custom.name == name {
          meaning = BehaviorForm.of(custom, Operator.entry(named: name)?.spec)
        } else {
          meaning = placed.member(name) ?? .null
        }
      }
    }
  }

  /// Returns the effect of a change to a member of a stream that is neither an array nor an object of names.
  static func effect(ofMember name: String) -> StreamChange.Effect {
    switch name {
    case "requires": .structure
    case "seed": .stateKept
    default: .noBehavior
    }
  }

  /// Returns the effect of a change to a member of an input.
  static func effect(ofInputMember name: String, from old: Value, to new: Value) -> StreamChange.Effect {
    switch name {
    case "initialValue": .stateLost
    // Values that have been read keep their time.
    case "time": BehaviorForm.ofTime(old) == BehaviorForm.ofTime(new) ? .noBehavior : .stateKept
    default: name.hasPrefix("x-") ? .noBehavior : .structure
    }
  }

  /// Returns the effect of a change to a member of a partition.
  static func effect(ofPartitionMember name: String) -> StreamChange.Effect {
    name == "key" ? .stateLost : name.hasPrefix("x-") ? .noBehavior : .stateKept
  }

  /// Returns the effect of a change to a member beside an operator's name.
  static func effect(besideOperator name: String, of stored: Stored) -> StreamChange.Effect {
    switch name {
    case "id": stored.keepsState ? .stateLost : .noBehavior
    case "onError": .stateKept
    default: .noBehavior
    }
  }

  /// Returns the effect of a change to a field of an operator.
  static func effect(ofField name: String, _ before: Stored, _ after: Stored) -> StreamChange.Effect {
    if before.meaning.member(name) == after.meaning.member(name) { return .noBehavior }
    if before.keepsState, before.form != after.form || before.fields.contains(name) { return .stateLost }
    return .stateKept
  }

  /// Returns the effect of a change to a field of a source.
  static func effect(ofSourceField name: String, from old: Value, to new: Value) -> StreamChange.Effect {
    let forms = [old, new].map { fields in
      (try? StreamModel(json: ["source": fields])).flatMap { model in
        if case .parameterized(let source) = model.source { return BehaviorForm.of(source: source) }
        return model.source.definition.map { BehaviorForm.of($0) }
      }
    }
    guard let before = forms[0], let after = forms[1] else { return .structure }
    return before.member(name) == after.member(name) ? .noBehavior : .structure
  }

  /// Returns the effect of replacing a stream that an operator uses.
  static func effect(ofOtherStreamIn stored: Stored) -> StreamChange.Effect {
    stored.keepsState ? .stateLost : .structure
  }

  /// Returns the effect of removing or replacing an operator.
  static func effect(ofRemoving placed: Value) -> StreamChange.Effect { losesState(placed) ? .stateLost : .structure }

  /// Returns the effect of moving an operator: state stored under an `id` is found again.
  static func effect(ofMoving placed: Value) -> StreamChange.Effect {
    placed.member("id") == nil && losesState(placed) ? .stateLost : .structure
  }

  /// Returns the effect of removing an item or a stream, with its operators.
  static func effect(ofRemovingStream model: Value) -> StreamChange.Effect {
    guard case .list(let operators)? = model.member("operators") else { return .structure }
    return operators.contains(where: losesState) ? .stateLost : .structure
  }

  /// Returns the effect of removing an output, with the stream that it contains.
  static func effect(ofRemovingOutput output: Value) -> StreamChange.Effect {
    output.member("stream").map(effect(ofRemovingStream:)) ?? .structure
  }

  private static func losesState(_ placed: Value) -> Bool { Stored(placed).keepsState }
}
