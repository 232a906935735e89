public import StreamCore

/// An edit of a stream file.
///
/// ```swift
/// try editor.apply([
///   .set(JSONPointer(parsing: "/operators/0/debounce/seconds"), JSONFragment(0.5)),
///   .addOperator(JSONFragment(PlacedOperator.removeDuplicates().json)),
///   .rename("Search"),
/// ])
/// ```
///
/// Pointers and indices refer to the file after the preceding edits.
public enum StreamEdit: Hashable, Sendable {
  // Exact: anything in the file, by JSON pointer.

  /// Replaces a value, or adds a member to an object; `/operators/-` appends an element to an array.
  case set(JSONPointer, JSONFragment)
  /// Adds a member, or inserts an element before the one at the pointer.
  case insert(JSONPointer, JSONFragment)
  case remove(JSONPointer)
  /// Removes a value and adds it at another location, given as it is after the edit.
  case move(from: JSONPointer, to: JSONPointer)
  /// Changes the key of a member.
  case renameMember(JSONPointer, to: String)

  // Friendly: what people mean.

  /// Appends an item to the stream, optionally delayed by a number of seconds.
  case appendItem(JSONFragment, delay: Double? = nil)
  /// Inserts an item before the item at an index from 0.
  case insertItem(JSONFragment, delay: Double? = nil, at: Int)
  case removeItem(at: Int)
  /// Inserts an operator before the operator at an index from 0, or at the end.
  case addOperator(JSONFragment, at: Int? = nil)
  case removeOperator(OperatorReference)
  /// Moves an operator to the index it has after the edit.
  case moveOperator(from: OperatorReference, to: Int)
  /// Sets the name of the stream.
  case rename(String)
  /// Sets the initial value of an input.
  case setInput(String, JSONFragment)
}

/// An operator in the file's own array, by its index from 0 or by its `id`.
///
/// ```swift
/// try editor.apply(.moveOperator(from: .id("pause"), to: 0))
/// try editor.apply(.removeOperator(.index(0)))
/// ```
public enum OperatorReference: Hashable, Sendable {
  case index(Int)
  case id(String)
}
