/// The chapters of the reference of functions.
public enum FunctionFamily: String, CaseIterable, Hashable, Sendable {
  case operators
  case loops
  case conversions
  case strings
  case patterns = "regular expressions"
  case collections = "lists, maps and sets"
  case numbers
  case times = "dates and durations"
  case optionals
  case encodings
  case addresses = "network addresses"
}
