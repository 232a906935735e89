internal import ArgumentParser
internal import StreamCore
internal import StreamDriving
internal import StreamEditing

/// The edits that `streamrun edit` understands, in the order in which they are written.
struct EditOptions: ParsableArguments {
  typealias Ordered = OrderedArgument

  @Option(
    name: .customLong("set"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Sets the value at a JSON pointer; /operators/- appends to an array.", valueName: "pointer=json"))
  var set: [Ordered<NamedArgument>] = []

  @Option(
    name: .customLong("remove"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Removes the value at a JSON pointer.", valueName: "pointer"))
  var remove: [Ordered<String>] = []

  @Option(
    name: .customLong("append-item"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Appends an item to the stream.", valueName: "json"))
  var appendItem: [Ordered<String>] = []

  @Option(
    name: .customLong("insert-item"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Inserts an item before item --at.", valueName: "json"))
  var insertItem: [Ordered<String>] = []

  @Option(name: .customLong("remove-item"), help: ArgumentHelp("Removes an item.", valueName: "n"))
  var removeItem: [Ordered<Int>] = []

  @Option(
    name: .customLong("add-operator"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Adds an operator at the end, or before operator --at.", valueName: "json"))
  var addOperator: [Ordered<String>] = []

  @Option(
    name: .customLong("remove-operator"), help: ArgumentHelp("Removes an operator.", valueName: "n-or-id"))
  var removeOperator: [Ordered<String>] = []

  @Option(
    name: .customLong("move-operator"),
    help: ArgumentHelp("Moves an operator to the number it has after the edit.", valueName: "n-or-id:n"))
  var moveOperator: [Ordered<PlacePair>] = []

  @Option(
    name: .customLong("rename"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Sets the name of the stream.", valueName: "name"))
  var rename: [Ordered<String>] = []

  @Option(
    name: .customLong("set-input"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Sets the initial value of an input.", valueName: "name=json"))
  var setInput: [Ordered<NamedArgument>] = []

  @Option(
    help: ArgumentHelp("Delay in seconds for the item of the preceding option.", valueName: "seconds"))
  var delay: [Ordered<Double>] = []

  @Option(
    help: ArgumentHelp("Position, from 0, for the item or operator of the preceding option.", valueName: "n"))
  var at: [Ordered<Int>] = []

  /// Returns all edits in order.
  ///
  /// - Throws: The errors in the arguments; for JSON, with their location in the argument.
  func edits() throws(Diagnostics) -> [StreamEdit] {
    var drafts: [EditDraft] = []
    drafts += set.map { EditDraft($0.order, .set($0.content)) }
    drafts += remove.map { EditDraft($0.order, .remove($0.content)) }
    drafts += appendItem.map { EditDraft($0.order, .appendItem($0.content)) }
    drafts += insertItem.map { EditDraft($0.order, .insertItem($0.content)) }
    drafts += removeItem.map { EditDraft($0.order, .removeItem($0.content)) }
    drafts += addOperator.map { EditDraft($0.order, .addOperator($0.content)) }
    drafts += removeOperator.map { EditDraft($0.order, .removeOperator($0.content)) }
    drafts += moveOperator.map { EditDraft($0.order, .moveOperator($0.content)) }
    drafts += rename.map { EditDraft($0.order, .rename($0.content)) }
    drafts += setInput.map { EditDraft($0.order, .setInput($0.content)) }
    drafts.sort { $0.order < $1.order }
    for argument in delay {
      try qualify(&drafts, argument.order, "--delay", "--append-item or --insert-item") { draft in
        guard draft.takesDelay, draft.delay == nil else { return false }
        draft.delay = argument.content
        return true
      }
    }
    for argument in at {
      try qualify(&drafts, argument.order, "--at", "--insert-item or --add-operator") { draft in
        guard draft.takesPlace, draft.place == nil else { return false }
        draft.place = argument.content
        return true
      }
    }
    var edits: [StreamEdit] = []
    for draft in drafts { edits.append(try draft.edit()) }
    return edits
  }

  /// Applies an argument to the preceding edit.
  private func qualify(
    _ drafts: inout [EditDraft], _ order: Int, _ option: String, _ owners: String,
    _ take: (inout EditDraft) -> Bool
  ) throws(Diagnostics) {
    if let place = drafts.lastIndex(where: { $0.order < order }), take(&drafts[place]) { return }
    throw Diagnostics(.invalidArgument, "\(option) must follow \(owners)", help: "write \(option) directly after it")
  }
}
