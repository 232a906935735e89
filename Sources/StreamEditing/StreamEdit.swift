public import StreamCore
internal import StreamKit

/// A change of a stream file.
///
/// Pointers and places are those of the file as the edits before this one leave it.
public enum StreamEdit: Hashable, Sendable {
  // Exact: anything in the file, by JSON pointer.

  /// Puts a value in place of another, or adds a member to an object; `/operators/-` adds an element to a list.
  case set(JSONPointer, JSONFragment)
  /// Adds a member, or an element in front of the one that the pointer names.
  case insert(JSONPointer, JSONFragment)
  case remove(JSONPointer)
  /// Takes a value away and adds it at another place, which is named as it is afterwards.
  case move(from: JSONPointer, to: JSONPointer)
  /// Gives a member another key.
  case renameMember(JSONPointer, to: String)

  // Friendly: what people mean.

  /// Adds an item at the end of the stream; its value comes after so many seconds.
  case appendItem(JSONFragment, delay: Double? = nil)
  /// Adds an item in front of the one with this number, from 0.
  case insertItem(JSONFragment, delay: Double? = nil, at: Int)
  case removeItem(at: Int)
  /// Adds an operator in front of the one with this number, from 0, or at the end.
  case addOperator(JSONFragment, at: Int? = nil)
  case removeOperator(OperatorReference)
  /// Takes an operator to where it has this number afterwards.
  case moveOperator(from: OperatorReference, to: Int)
  /// Gives the stream a name.
  case rename(String)
  /// Gives an input its initial value.
  case setInput(String, JSONFragment)
}

/// An operator of a file's own list, by its number from 0 or by its `id`.
public enum OperatorReference: Hashable, Sendable {
  case index(Int)
  case id(String)
}
