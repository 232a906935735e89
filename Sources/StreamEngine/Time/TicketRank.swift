/// The ranks of tickets: at one instant, tickets of a higher rank come after all of a lower one, whenever they were taken.
///
/// A rank is a bit above the number of the ticket.
enum TicketRank {
  /// The end of the instant for one operator; see `Effects.takeLastTicket`.
  static let last: Int64 = 1 << 60
  /// The ordered results of an instant; see `ResultOrder`.
  static let results: Int64 = 1 << 61
  /// The operators that receive these results.
  static let afterResults: Int64 = 1 << 62

  private static let all = last | results | afterResults

  /// The largest number of a restored ticket: further tickets still have room below the ranks.
  static let largestRestored: Int64 = 1 << 59

  static func isOfResults(_ ticket: Int64) -> Bool { ticket & all == results }

  /// Returns a ticket with the rank of another one.
  static func ticket(_ number: Int64, rankedAs other: Int64) -> Int64 { number | other & all }
}
