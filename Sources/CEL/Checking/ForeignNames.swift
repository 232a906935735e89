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
    ("lowercased", "lower tolower tolowercase lowercase lcase downcase strtolower"),
    ("uppercased", "upper toupper touppercase uppercase ucase upcase strtoupper"),
    ("lowerAscii", "ascii_downcase"), ("upperAscii", "ascii_upcase"),
    ("trim", "strip trimmed trimspace"),
    ("contains", "contain has_substring strpos strcontains"),
    ("startsWith", "hasprefix beginswith starts_with"),
    ("endsWith", "hassuffix ends_with"),
    ("matches", "match test regexp regex regexmatch rlike"),
    ("regex.groups", "named_groups groupdict named_captures regexp_extract_groups regex.named_groups parse_regex"),
    ("regex.extract", "capture regexp_extract"),
    ("regex.extractAll", "findall matchall scan regexp_extract_all"),
    ("regex.replace", "gsub regexreplace regexp_replace"),
    ("substring", "substr mid"),
    ("indexOf", "position locate instr list_position findindex index_of array_position"),
    ("lastIndexOf", "rindex lastindex rfind"),
    ("isSorted", "issorted is_sorted"),
    ("percentile", "percentile_cont quantile_cont"),
    ("average", "avg mean list_avg math.avg math.mean statistics.mean"),
    ("sum", "list_sum sumby sum_by total math.sum math.fsum"),
    ("zip", "list_zip arrays_zip zipped"),
    ("groupBy", "group_by groupingby partitionby"),
    ("fold", "reduce foldl aggregate inject list_reduce foldleft fold_left"),
    ("merge", "assign object.assign extend update with merged map_concat"),
    ("without", "omit del delete drop exclude except object.omit dissoc unset"),
    ("rename", "rename_keys renamekeys renamecolumns mapkeys"),
    ("keys", "object.keys map_keys"),
    ("values", "object.values map_values"),
    ("normalize", "nfc unicodedata.normalize"),
    ("replace", "replaceall"),
    ("split", "explode splitlines"),
    ("join", "implode joined string_agg"),
    ("format", "sprintf printf formatted strftime dateformat date_format formatdate format_timestamp todatestring"),
    ("reverse", "reversed"),
    ("string", "str tostring text tostr to_string varchar"),
    ("tryInt", "try_int to_int_or_null toint_or_null"),
    ("tryDouble", "try_double try_float tofloatorzero tonumber_or_null"),
    ("int", "parseint toint integer atoi toint64 to_int long bigint int64"),
    ("double", "float parsefloat tofloat todouble number tonumber to_number atof numeric decimal float8 float64"),
    ("bool", "boolean tobool"),
    ("type", "typeof"),
    ("bytes", "tobytes encodeutf8"),
    ("math.least", "minimum math.min least"),
    ("math.greatest", "maximum math.max greatest"),
    ("math.floor", "floor"),
    ("math.ceil", "ceil ceiling"),
    ("math.round", "rint math.rint"),
    ("math.abs", "abs fabs math.fabs"),
    ("math.sqrt", "sqrt"),
    ("math.log", "ln log math.ln"),
    ("math.log10", "log10"),
    ("math.exp", "exp"),
    ("math.pow", "pow power"),
    ("math.sin", "sin"),
    ("math.cos", "cos"),
    ("math.tan", "tan"),
    ("math.asin", "asin arcsin"),
    ("math.acos", "acos arccos"),
    ("math.atan", "atan arctan"),
    ("math.pi", "pi"),
    ("math.sign", "sign signum"),
    ("math.trunc", "trunc truncate math.truncate"),
    ("math.isNaN", "isnan"),
    ("math.isFinite", "isfinite"),
    ("round", "tofixed"),
    ("exists", "any some anymatch array.some"),
    ("all", "every allmatch"),
    ("map", "collect"),
    ("filter", "where"),
    ("sort", "sorted tosorted"),
    ("sortBy", "orderby order_by sort_by sorton"),
    ("distinct", "unique uniq dedupe dedup"),
    ("flatten", "flat"),
    ("slice", "take limit sublist"),
    ("lists.range", "range"),
    ("first", "head"),
    ("orValue", "coalesce ifnull nvl default getordefault unwrap_or"),
    ("timestamp", "date datetime todate totimestamp to_timestamp timestamptz"),
    ("timestamp.fromMillis", "epoch_ms make_timestamp_ms frommillis from_millis fromunixtimestampmilli"),
    ("millis", "gettime unix_millis tomillis to_unixtime_ms valueof to_unix_timestamp_milli"),
    ("parseTime", "strptime parsedate parse_date parse_timestamp parsedatetime datetime.strptime"),
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
  private static let capital = "text.substring(0, 1).uppercased() + text.substring(1)"
  private static let seconds = "timestamp(seconds) for seconds since 1970, or timestamp.fromMillis(milliseconds)"
  private static let date = "timestamp(text), or parseTime(text, 'yyyy-MM-dd HH:mm:ss') for other forms"
  private static let part = "time.getFullYear(), time.getMonth(), time.getDate(), time.getHours() …"
  private static let replacing = "text.replace(old, new), or regex.replace(text, pattern, new)"
  private static let squares = "list.map(x, math.pow(x - mean, 2))"
  private static let variance = "cel.bind(mean, list.average(), \(squares).sum() / (size(list) - 1)) for a sample"
  private static let deviation =
    "math.sqrt(cel.bind(mean, list.average(), \(squares).sum() / (size(list) - 1))) for a sample"
  private static let populationVariance = "cel.bind(mean, list.average(), \(squares).average()) for a population"
  private static let populationDeviation =
    "math.sqrt(cel.bind(mean, list.average(), \(squares).average())) for a population"
  private static let start = "regex.replace(text, r'^\\s+', '')"
  private static let end = "regex.replace(text, r'\\s+$', '')"
  private static let digest = "sha256(text)"
  private static let chunks = "the operator 'collect' with a 'count'"
  private static let median = "list.percentile(50)"
  private static let quantile = "list.percentile(95) for the quantile 0.95"
  private static let padding = "'%5s'.format([text]), '%-5s' or '%05d'"
  private static let bounds = "low <= value && value <= high"
  private static let trying = "tryInt(value), tryDouble(value), or optional member access, value.?name"

  /// Returns help for a function that is called in the other form, as a method or with its list as an argument; nil for
  /// other functions.
  static func formHelp(for function: String, isMember: Bool) -> String? { isMember ? nil : forms[function] }

  private static let forms: [String: String] = [
    "min": "write math.least(a, b) for two numbers, or list.min()",
    "max": "write math.greatest(a, b) for two numbers, or list.max()",
    "sum": "write list.sum()", "average": "write list.average()", "percentile": "write list.percentile(95)",
    "zip": "write a.zip(b)", "keys": "write map.keys()", "values": "write map.values()",
    "merge": "write map.merge({'name': value})", "without": "write map.without('name')",
    "rename": "write map.rename({'old': 'new'})", "format": "write text.format([value]), or time.format('yyyy-MM-dd')",
  ]

  /// Names of functions that neither CEL nor an expression replaces.
  private static let missing: [String: String] = {
    var table: [String: String] = [:]
    for name in "rand math.random math.rand uuid uuid4 newid randomint randint random.random".split(separator: " ") {
      let isNumber = !name.hasSuffix("id") && !name.hasPrefix("uuid")
      table[String(name)] =
        isNumber
        ? "write random() for a double from 0 to below 1, or int(random() * 6.0) for an int from 0 to 5"
        : "expressions give the same result in each run, so there is no such function; sha256(text) spreads values evenly"
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
    "push": "list + [element]", "add": "list + [element]",
    "items": "map.transformList(key, value, [key, value])",
    "entries": "map.transformList(key, value, [key, value])",
    "object.entries": "map.transformList(key, value, [key, value])", "haskey": "key in map",
    "find": "list.filter(x, …).first()", "reject": "list.filter(x, !(…))",
    "flatmap": "list.map(x, …).flatten()", "get": "map[?key].orValue(other)", "not": "!condition",
    "and": "one && other", "mod": "one % other",
    "select": "list.map(x, …), or list.filter(x, …)", "defined": "has(value.name)", "isset": "has(value.name)",
    "isdefined": "has(value.name)", "tryget": "value.?name.orValue(other)",
    "title": capital, "capitalize": capital, "ucfirst": capital,
    "includes": "text.contains(part), or element in list", "sub": replacing, "math.mod": "one % other",
    "math.hypot": "math.sqrt(x * x + y * y)", "hypot": "math.sqrt(x * x + y * y)",
    "timestamp.fromseconds": seconds, "timestamp.fromunix": seconds, "timestamp.fromepoch": seconds,
    "timestamp.unix": seconds, "fromseconds": seconds, "from_unixtime": seconds, "fromunixtime": seconds,
    "to_timestamp_s": seconds, "epoch": "int(time) for seconds since 1970",
    "getepochseconds": "int(time) for seconds since 1970", "unix_timestamp": "int(time) for seconds since 1970",
    "fromdate": date, "fromdateiso8601": date, "to_date": date, "str_to_date": date,
    "to_char": "time.format('yyyy-MM-dd HH:mm', zone)", "strflocaltime": "time.format('yyyy-MM-dd HH:mm', zone)",
    "extract": part, "date_part": part, "datepart": part, "datediff": "one - other, which is a duration",
    "date_diff": "one - other, which is a duration", "timestampdiff": "one - other, which is a duration",
    "dateadd": "time + duration('1d')", "date_add": "time + duration('1d')", "timestampadd": "time + duration('1d')",
    "stddev": deviation, "stdev": deviation, "std": deviation, "stddev_samp": deviation, "math.stddev": deviation,
    "statistics.stdev": deviation, "stddev_pop": populationDeviation, "pstdev": populationDeviation,
    "statistics.pstdev": populationDeviation, "variance": variance, "var": variance, "var_samp": variance,
    "statistics.variance": variance, "var_pop": populationVariance, "pvariance": populationVariance,
    "repeat": "lists.range(3).map(i, text).join()", "trimstart": start, "lstrip": start, "ltrim": start,
    "trimleft": start, "trimend": end, "rstrip": end, "rtrim": end, "trimright": end,
    "ltrimstr": "text.startsWith(part) ? text.substring(size(part)) : text",
    "removeprefix": "text.startsWith(part) ? text.substring(size(part)) : text",
    "array_agg": "list.map(x, …), or the operator 'collect' for the values of a stream",
    "group_concat": "list.join(', ')", "listagg": "list.join(', ')", "split_part": "text.split(',')[0]",
    "regexp_matches": "text.matches(pattern), or regex.groups(text, pattern)", "hash": digest, "md5": digest,
    "sha1": digest, "crc32": digest, "row_number": "the variable 'index', or the operator 'enumerated'",
    "lag": "the operator 'withPrevious'", "lead": "the operator 'nwise', whose arrays have the next value",
    "rank": "the operators 'sort' and 'map' with the variable 'index'", "nullif": "one == other ? null : one",
    "is_null": "… == null", "is_empty": "size(…) == 0", "isinstance": "type(value) == int", "chunk": chunks,
    "chunked": chunks,
    "padstart": padding, "padend": padding, "lpad": padding, "rpad": padding, "ljust": padding, "rjust": padding,
    "zfill": padding, "padleft": padding, "padright": padding, "toisostring": "string(timestamp)",
    "isoformat": "string(timestamp)", "median": median, "quantile": quantile, "quantile_disc": quantile,
    "percentile_disc": quantile, "log2": "math.log(x) / math.log(2)", "math.log2": "math.log(x) / math.log(2)",
    "cbrt": "math.pow(x, 1.0 / 3)", "radians": "degrees * math.pi() / 180", "degrees": "radians * 180 / math.pi()",
    "try_cast": trying, "trycast": trying, "safe_cast": trying, "tryparse": trying, "try": trying,
    "unzip": "list.map(pair, pair[0])", "to_entries": "map.transformList(key, value, {'key': key, 'value': value})",
    "with_entries": "map.transformMapEntry(key, value, {key: value})",
    "from_entries": "list.transformMapEntry(i, pair, {pair[0]: pair[1]})", "pick": "{'name': map.name}",
    "min_by": "list.sortBy(x, …).first()", "max_by": "list.sortBy(x, …).last()",
    "cumsum": "the operator 'scan' over a stream of the elements", "count_if": "size(list.filter(x, …))",
    "countif": "size(list.filter(x, …))", "tail": "list.slice(1, size(list))",
    "enumerate": "list.transformList(index, x, …)", "foreach": "list.map(x, …)", "dict": "{'name': value}",
    "object": "{'name': value}", "array": "[one, other]", "tuple": "[one, other]",
    "sec2gmt": "string(timestamp(seconds))", "sec2gmtdate": "timestamp(seconds).format('yyyy-MM-dd')",
    "sec2date": "timestamp(seconds).format('yyyy-MM-dd')", "gmt2sec": "int(timestamp(text))", "systime": "int(now())",
    "is_present": "has(value.name)", "is_absent": "!has(value.name)", "is_not_null": "… != null",
    "is_not_empty": "size(…) > 0", "is_string": "type(value) == string",
    "is_numeric": "type(value) in [int, uint, double]", "between": bounds, "inrange": bounds, "in_range": bounds,
    "fmtnum": "'%.2f'.format([number])", "ssub": replacing, "splitax": "text.split(',')",
  ]
}
