internal import StreamCore
internal import StreamSharing

/// The schemas of the hub's interface.
enum OpenAPISchemas {
  static var all: Value {
    .object(
      ("Problem", problem), ("InvalidStream", invalidStream), ("Diagnostic", diagnostic), ("Stream", stream),
      ("Streams", list("streams", of: "Stream")), ("Version", version), ("Versions", versions), ("Outcome", outcome),
      ("Report", report), ("Reports", reports), ("Counted", counted), ("Rollout", rollout), ("Readiness", readiness),
      ("Health", health),
      ("Promotion", promotion),
      ("Halt", halt), ("Rollback", rollback), ("SignedChange", signedChange), ("Name", name))
  }

  // MARK: Parts

  private static func record(_ required: [String], _ members: (String, Value)...) -> Value {
    .object(
      ("type", "object"), ("required", .list(required.map(Value.string))),
      ("properties", .map(ValueMap(members.map { (Value.string($0.0), $0.1) }))))
  }

  /// An object without other members, as requests have them.
  private static func closed(_ required: [String], _ members: (String, Value)...) -> Value {
    .object(
      ("type", "object"), ("required", .list(required.map(Value.string))),
      ("properties", .map(ValueMap(members.map { (Value.string($0.0), $0.1) }))), ("additionalProperties", false))
  }

  private static func text(_ description: String) -> Value {
    .object(("type", "string"), ("description", .string(description)))
  }

  private static func number(_ description: String, _ least: Int64, _ greatest: Int64? = nil) -> Value {
    var map = ValueMap(members: ("type", "integer"), ("minimum", .int(least)), ("description", .string(description)))
    if let greatest { map = map.setting("maximum", .int(greatest)) }
    return .map(map)
  }

  private static func choice(_ values: [String], _ description: String) -> Value {
    .object(
      ("type", "string"), ("enum", .list(values.map(Value.string))), ("description", .string(description)))
  }

  private static func array(_ element: Value, atMost limit: Int64? = nil) -> Value {
    var map = ValueMap(members: ("type", "array"), ("items", element))
    if let limit { map = map.setting("maxItems", .int(limit)) }
    return .map(map)
  }

  private static func list(_ member: String, of name: String) -> Value {
    record([member], (member, array(OpenAPI.schema(name))))
  }

  static var time: Value { .object(("type", "string"), ("format", "date-time")) }

  private static var versionNumber: Value { number("The number of a version.", 1, Int64(Int32.max)) }

  static var name: Value {
    .object(
      ("type", "string"), ("maxLength", 180),
      ("pattern", "^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$"),
      ("description", "The name of a stream."), ("examples", ["checkout/fraud"]))
  }

  // MARK: Schemas

  private static var problem: Value {
    record(
      ["type", "title", "status", "detail"],
      ("type", .object(("type", "string"), ("format", "uri-reference"))), ("title", text("The kind, for people.")),
      ("status", number("The status of the response.", 400, 599)), ("detail", text("The reason, for people.")))
  }

  private static var invalidStream: Value {
    let test = record(
      ["name", "differences"], ("name", text("The name of the test.")),
      ("differences", array(text("A difference from the expectation."))))
    let members = record(
      ["diagnostics", "failedTests"], ("diagnostics", array(OpenAPI.schema("Diagnostic"))),
      ("failedTests", array(test)))
    return .object(("allOf", [OpenAPI.schema("Problem"), members]))
  }

  private static var diagnostic: Value {
    record(
      ["code", "severity", "message", "pointer"], ("code", text("A code such as S101.")),
      ("severity", choice(["error", "warning", "note"], "The severity.")), ("message", text("The finding.")),
      ("pointer", text("A JSON Pointer into the file.")), ("line", number("The line.", 1)),
      ("column", number("The column.", 1)), ("help", text("The fix.")))
  }

  private static var version: Value {
    record(
      ["version", "state", "content"], ("version", versionNumber),
      ("state", choice(HubStream.State.names, "The clients that take it.")),
      ("content", text("The content ID: SHA-256 of the canonical JSON.")),
      ("behavior", text("The ID of its behavior.")),
      ("requires", array(text("A function or an operator that clients have to provide."))),
      ("parameters", .object(("type", "object"), ("description", "The values of the file's parameters."))),
      ("notes", text("A remark of the publisher.")), ("time", time), ("bytes", number("The length of the file.", 0)),
      (
        "rollout",
        record(
          ["percent", "salt"], ("percent", number("With a candidate: percentage of the clients.", 0, 100)),
          ("salt", text("Rollouts with the same salt select the same clients.")),
          ("where", text("A condition over the client.")))
      ),
      ("reason", text("With a halted version: the reason.")))
  }

  private static var stream: Value {
    record(
      ["name", "path", "stable", "newest", "content", "candidates"], ("name", OpenAPI.schema("Name")),
      ("path", text("The path of the stable file's target.")), ("stable", versionNumber), ("newest", versionNumber),
      ("content", .object(("type", ["string", "null"]))), ("candidates", array(OpenAPI.schema("Version"))))
  }

  private static var versions: Value {
    record(["name", "versions"], ("name", OpenAPI.schema("Name")), ("versions", array(OpenAPI.schema("Version"))))
  }

  private static var outcome: Value {
    record(
      ["outcome", "version", "stream"],
      ("outcome", choice(["published", "unchanged", "promote", "halt", "rollback", "signed"], "The change.")),
      ("version", versionNumber), ("stream", OpenAPI.schema("Stream")),
      ("warnings", array(text("Something odd about the change, such as a condition that no client can fulfill."))))
  }

  private static var report: Value {
    record(
      ["client", "stream", "version", "content", "state"],
      ("client", .object(("type", "string"), ("maxLength", 200), ("description", "An opaque ID."))),
      ("stream", OpenAPI.schema("Name")), ("version", versionNumber), ("content", text("The content ID.")),
      ("state", choice(StreamReport.State.allCases.map(\.rawValue), "The state of the version at the client.")),
      ("diagnostics", array(text("With failed: a reason."), atMost: 20)),
      ("attributes", array(text("The name of an attribute of the client."), atMost: 50)))
  }

  private static var reports: Value {
    .object(
      (
        "oneOf",
        [OpenAPI.schema("Report"), array(OpenAPI.schema("Report"), atMost: Int64(Hub.reportLimit))]
      ))
  }

  private static var counted: Value {
    record(
      ["accepted", "ignored"], ("accepted", number("Reports on published versions.", 0)),
      ("ignored", number("Reports on other versions or contents.", 0)))
  }

  private static var rollout: Value {
    let counts = record(
      StreamReport.State.allCases.map(\.rawValue),
      ("inconclusive", number("Clients on probation whose version has had no value.", 0)),
      ("running", number("Clients on probation whose version has had values.", 0)),
      ("good", number("Clients whose probation is over.", 0)),
      ("failed", number("Clients that went back, or whose run has ended with a failure.", 0)))
    let failure = record(["time", "diagnostics"], ("time", time), ("diagnostics", array(text("A reason."))))
    let version: Value = .object(
      (
        "allOf",
        [
          OpenAPI.schema("Version"),
          record(["reports", "failures"], ("reports", counts), ("failures", array(failure, atMost: 10))),
        ]
      ))
    let threshold = record(
      ["percent", "reports"],
      ("percent", .object(("type", "number"), ("description", "Failures above this share halt a rollout."))),
      ("reports", number("Reports before a rollout can be halted.", 0)),
      ("failures", number("Failing clients before a rollout can be halted.", 0)))
    return record(
      ["name", "threshold", "versions"], ("name", OpenAPI.schema("Name")), ("threshold", threshold),
      ("versions", array(version)))
  }

  private static var readiness: Value { record(["ready"], ("ready", .object(("const", true)))) }

  private static var health: Value {
    let cause = record(
      ["kind", "detail", "status"], ("kind", choice(HealthCause.Kind.allCases.map(\.rawValue), "The kind.")),
      ("detail", text("The reason, for people.")),
      ("status", choice(["warn", "fail"], "Whether the hub is not ready because of it.")))
    let role = record(
      ["role", "expires", "seconds"], ("role", text("The name of the role.")), ("expires", time),
      ("seconds", .object(("type", "integer"), ("description", "Seconds until the metadata expire."))))
    return record(
      ["status", "causes", "roles", "signs"],
      ("status", choice(["pass", "warn", "fail"], "fail if the hub is not ready, warn if somebody has to act.")),
      ("causes", array(cause)), ("roles", array(role)), ("signs", array(text("A role whose keys are at hand."))))
  }

  private static var promotion: Value {
    closed(
      [], ("version", versionNumber),
      ("percent", number("The new percentage of the clients. Without it, the version becomes stable.", 0, 100)))
  }

  private static var halt: Value {
    closed([], ("version", versionNumber), ("reason", .object(("type", "string"), ("maxLength", 1_000))))
  }

  private static var rollback: Value {
    closed(["to"], ("to", versionNumber), ("notes", .object(("type", "string"), ("maxLength", 1_000))))
  }

  private static var signedChange: Value {
    let metadata = record(
      ["signed", "signatures"], ("signed", .object(("type", "object"))),
      ("signatures", array(.object(("type", "object")))))
    return closed(
      ["role", "metadata"], ("role", text("The role that lists the stream: targets, or a delegated one.")),
      ("metadata", metadata), ("files", array(text("The content of a file that is new."))))
  }
}
