/// Why a vector cannot be said in a stream file.
struct Unsayable: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
