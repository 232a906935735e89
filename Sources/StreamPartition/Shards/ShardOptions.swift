/// How the owner of shards works.
package struct ShardOptions: Sendable {
  /// The time after which others may take over a shard whose owner says nothing, in milliseconds, 100 or more.
  package var leaseMilliseconds = 3_000
  /// Number of records of one transaction, 1 or more.
  package var batch = 1_000
  /// Maximum number of shards of one process; nil for all that are free.
  package var mostShards: Int?
  /// Number of processed records that are kept in each input stream; nil keeps all.
  package var keptInput: Int?
  /// The length of an output stream at which its shard waits; nil does not wait.
  package var mostOutputs: Int?
  /// Number of bytes that the keys of a shard take before some of them are forgotten.
  package var memory = 256 * 1_048_576
  /// Whether to stop when all present records have been processed.
  package var drains = false
  package var skipsErrors = false
  /// The file of metrics; nil for none.
  package var metrics: String?
  /// Time between two writes of the metrics, in milliseconds.
  package var metricsMilliseconds = 5_000

  package init() {}
}
