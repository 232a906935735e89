/// Names of functions in other languages, with their equivalents in CEL.
enum ForeignNames {
  /// Returns help for a function that is called by its name in another language; nil for unknown names.
  static func help(for name: String) -> String? {
    let name = name.lowercased()
    if let known = functions[name] { return "did you mean '\(known)'?" }
    return phrases[name].map { "write \($0)" } ?? missing[name]
  }

  /// Returns the function that is known by another name elsewhere; nil for unknown names.
  static func equivalent(of name: String) -> String? { functions[name.lowercased()] }

  /// Returns help for a function that rounds numbers, and is called for a time; nil for other functions.
  static func roundingHelp(for name: String) -> String? {
    let last = name.lowercased().split(separator: ".").last.map(String.init) ?? ""
    return ["floor", "trunc", "truncate"].contains(last) ? "write \(truncation)" : nil
  }

  /// Equivalent CEL functions, by lowercase names in other languages.
  private static let functions: [String: String] = {
    var table: [String: String] = [:]
    for (function, names) in groups {
      for name in names.split(separator: " ") { table[String(name)] = function }
    }
    return table
  }()

  static let groups: [(function: String, names: String)] = [
    ("size", "len length count strlen sizeof cardinality"),
    ("lowerAscii", "lower tolower tolowercase lowercase lcase downcase strtolower"),
    ("upperAscii", "upper toupper touppercase uppercase ucase upcase strtoupper"),
    ("trim", "strip trimmed trimspace"),
    ("contains", "includes contain has_substring strpos strcontains"),
    ("startsWith", "hasprefix beginswith starts_with"),
    ("endsWith", "hassuffix ends_with"),
    ("matches", "match test regexp regex regexmatch rlike"),
    ("regex.extract", "capture regexp_extract"),
    ("regex.extractAll", "findall matchall scan regexp_extract_all"),
    ("regex.replace", "gsub regexreplace regexp_replace"),
    ("substring", "substr mid"),
    ("indexOf", "position locate instr"),
    ("replace", "replaceall"),
    ("split", "explode splitlines"),
    ("join", "implode joined string_agg"),
    ("format", "sprintf printf formatted"),
    ("reverse", "reversed"),
    ("string", "str tostring text tostr to_string varchar"),
    ("int", "parseint toint integer atoi toint64 to_int long bigint int64"),
    ("double", "float parsefloat tofloat todouble number tonumber to_number atof numeric decimal float8 float64"),
    ("bool", "boolean tobool"),
    ("type", "typeof"),
    ("bytes", "tobytes encodeutf8"),
    ("math.least", "min minimum math.min least"),
    ("math.greatest", "max maximum math.max greatest"),
    ("math.floor", "floor"),
    ("math.ceil", "ceil ceiling"),
    ("math.round", "rint math.rint"),
    ("math.abs", "abs fabs math.fabs"),
    ("math.sqrt", "sqrt"),
    ("math.sign", "sign signum"),
    ("math.trunc", "trunc truncate math.truncate"),
    ("math.isNaN", "isnan"),
    ("math.isFinite", "isfinite"),
    ("round", "tofixed"),
    ("atan2", "math.atan2"),
    ("exists", "any some anymatch array.some"),
    ("all", "every allmatch"),
    ("map", "collect"),
    ("filter", "where"),
    ("sort", "sorted tosorted"),
    ("sortBy", "orderby sort_by sorton"),
    ("distinct", "unique uniq dedupe dedup"),
    ("flatten", "flat"),
    ("slice", "take limit sublist"),
    ("lists.range", "range"),
    ("first", "head"),
    ("orValue", "coalesce ifnull nvl default getordefault unwrap_or"),
    ("timestamp", "date datetime todate parsedate totimestamp to_timestamp timestamptz"),
    ("now", "today current_timestamp date.now"),
    ("getFullYear", "year getyear"),
    ("getMonth", "month"),
    ("getDate", "day dayofmonth"),
    ("getDayOfWeek", "getday weekday dayofweek isoweekday"),
    ("getDayOfYear", "dayofyear yday"),
    ("getHours", "hour hours gethour"),
    ("getMinutes", "minute minutes getminute"),
    ("getSeconds", "second seconds getsecond"),
    ("toJSON", "json.stringify stringify tojson to_json json.dumps"),
    ("parseJSON", "json.parse fromjson parse_json json.loads json_decode"),
    ("base64.encode", "btoa b64encode base64encode tobase64"),
    ("base64.decode", "atob b64decode base64decode frombase64"),
  ]

  private static let truncation = "timestamp(int(t) / 3600 * 3600) for the hour of the time t, in UTC"
  private static let power = "x * x; CEL has no powers"
  private static let merging = "the map with each of its members: {'a': value.a, 'b': 2}"
  private static let capital = "text.substring(0, 1).upperAscii() + text.substring(1)"
  private static let summing = "the operator 'reduce' over a stream of the elements; no function folds a list"

  /// Names of functions that neither CEL nor an expression replaces.
  private static let missing: [String: String] = {
    var table: [String: String] = [:]
    for name in "sin cos tan asin acos atan log log10 log2 ln exp".split(separator: " ") {
      table[String(name)] = "CEL has no trigonometric and exponential functions; an app can register its own"
      table["math.\(name)"] = table[String(name)]
    }
    for name in "random rand math.random uuid uuid4 newid randomint".split(separator: " ") {
      table[String(name)] =
        "expressions give the same result in each run, so there is no random function; sha256(text) spreads values evenly"
    }
    return table
  }()

  /// Returns help for a member that values of other languages have; nil for unknown names.
  static func memberHelp(for name: String) -> String? {
    functions[name.lowercased()].map { function in
      FunctionCatalogue.function(named: function)?.signatures(.strict).contains(where: \.isMember) == true
        ? "write .\(function)()" : "write \(function)(…)"
    } ?? phrases[name.lowercased()].map { "write \($0)" }
  }

  /// Expressions for functions that CEL does not have under any name.
  private static let phrases: [String: String] = [
    "date_trunc": truncation, "datetrunc": truncation, "time_bucket": truncation, "date_bin": truncation,
    "startof": truncation, "timestamp_trunc": truncation,
    "isempty": "size(…) == 0", "empty": "size(…) == 0", "isnull": "… == null",
    "if": "condition ? one : other", "iif": "condition ? one : other", "cond": "condition ? one : other",
    "ternary": "condition ? one : other", "concat": "one + other", "append": "list + [element]",
    "push": "list + [element]", "add": "list + [element]", "keys": "map.map(key, key)",
    "object.keys": "map.map(key, key)", "values": "map.transformList(key, value, value)",
    "object.values": "map.transformList(key, value, value)", "items": "map.transformList(key, value, [key, value])",
    "entries": "map.transformList(key, value, [key, value])",
    "object.entries": "map.transformList(key, value, [key, value])", "haskey": "key in map",
    "find": "list.filter(x, …).first()", "reject": "list.filter(x, !(…))",
    "flatmap": "list.map(x, …).flatten()", "get": "map[?key].orValue(other)", "not": "!condition",
    "and": "one && other", "mod": "one % other", "pow": power, "math.pow": power, "power": power,
    "select": "list.map(x, …), or list.filter(x, …)", "defined": "has(value.name)", "isset": "has(value.name)",
    "isdefined": "has(value.name)", "tryget": "value.?name.orValue(other)",
    "merge": merging, "assign": merging, "object.assign": merging, "extend": merging, "update": merging,
    "with": merging,
    "title": capital, "capitalize": capital, "ucfirst": capital,
    "padstart": "text, with the missing characters before it", "toisostring": "string(timestamp)",
    "isoformat": "string(timestamp)", "strptime": "timestamp(text), which reads RFC 3339",
    "strftime": "string(timestamp), or a text of its parts: string(t.getFullYear())",
    "sum": summing, "math.sum": summing, "avg": summing, "mean": summing, "average": summing, "reduce": summing,
    "fold": summing, "foldl": summing, "aggregate": summing, "count_if": "size(list.filter(x, …))",
    "countif": "size(list.filter(x, …))", "tail": "list.slice(1, size(list))",
    "zip": "lists.range(size(a)).map(i, [a[i], b[i]])",
    "enumerate": "list.transformList(index, x, …)", "foreach": "list.map(x, …)", "dict": "{'name': value}",
    "object": "{'name': value}", "array": "[one, other]", "tuple": "[one, other]",
  ]
}
