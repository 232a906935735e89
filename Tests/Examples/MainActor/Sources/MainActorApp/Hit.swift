/// A result of the search. Streams encode and decode it on any thread, so it does not belong to the main actor.
nonisolated struct Hit: Codable, Hashable, Sendable {
  var name: String
  var score: Double
}

/// A request of the search.
nonisolated struct Query: Codable, Hashable, Sendable {
  var text: String
  var limit: Int
}
