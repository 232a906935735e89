/// The helpers and RxJS imports that a JavaScript export has used so far.
final class JavaScriptOutput {
  private(set) var helpers: Set<JavaScriptHelper> = []
  private(set) var imports: Set<String> = []

  func needs(_ helper: JavaScriptHelper) {
    guard helpers.insert(helper).inserted else { return }
    imports.formUnion(helper.imports)
  }

  /// Adds imports from RxJS.
  func uses(_ names: String...) { imports.formUnion(names) }
}

/// Helper functions of exported JavaScript, printed at the end of the module if used.
enum JavaScriptHelper: CaseIterable, Sendable {
  case equal, plus, quotient, size, characters, camelCase, settled, typed, validated

  /// The names it imports from RxJS.
  var imports: [String] {
    switch self {
    case .settled: ["connect", "delay", "endWith", "ignoreElements", "of", "switchMap", "takeUntil"]
    default: []
    }
  }

  var code: String {
    switch self {
    case .equal:
      """
      /** Whether two values are deeply equal. */
      function equal(a, b) {
        if (a === b) return true;
        if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
        if (Array.isArray(a) !== Array.isArray(b)) return false;
        const keys = Object.keys(a);
        return keys.length === Object.keys(b).length && keys.every(key => key in b && equal(a[key], b[key]));
      }
      """
    case .plus:
      """
      /** Adds numbers; concatenates strings and arrays. */
      function plus(a, b) {
        return Array.isArray(a) ? [...a, ...b] : a + b;
      }
      """
    case .quotient:
      """
      /** Divides two numbers; two integers give an integer. */
      function quotient(a, b) {
        if (!Number.isInteger(a) || !Number.isInteger(b)) return a / b;
        if (b === 0) throw new RangeError('division by zero');
        return Math.trunc(a / b);
      }
      """
    case .size:
      """
      /** The number of elements, members or Unicode scalars. */
      function size(value) {
        if (Array.isArray(value)) return value.length;
        return typeof value === 'string' ? [...value].length : Object.keys(value).length;
      }
      """
    case .characters:
      """
      /** The characters of a string as a reader sees them. */
      function characters(text) {
        return [...new Intl.Segmenter().segment(text)].map(part => part.segment);
      }
      """
    case .camelCase:
      """
      /** Parses JSON with member names in snake_case. */
      function parseSnakeCase(text) {
        return JSON.parse(text, (_, value) => {
          if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
          const named = Object.entries(value).map(([key, member]) => [key.replace(/(?<=[^_])_+([^_])/g, (_, letter) => letter.toUpperCase()), member]);
          if (new Set(named.map(([key]) => key)).size < named.length) throw new TypeError('two members would have the same name');
          return Object.fromEntries(named);
        });
      }
      """
    case .settled:
      """
      /** Publishes a value after a period without another one; drops a value waiting at the end, as Combine does. */
      function settled(milliseconds, scheduler) {
        return connect(source => source.pipe(
          switchMap(value => of(value).pipe(delay(milliseconds, scheduler))),
          takeUntil(source.pipe(ignoreElements(), endWith(null))),
        ));
      }
      """
    case .typed:
      """
      /** Returns the value if it has the type (a name, fields, or an array of one type); throws otherwise. */
      function typed(value, type) {
        const isList = Array.isArray(type);
        if (isList && Array.isArray(value)) {
          for (const element of value) typed(element, type[0]);
          return value;
        }
        const hasMembers = typeof value === 'object' && value !== null && !Array.isArray(value);
        if (!isList && typeof type === 'object' && hasMembers) {
          for (const [name, field] of Object.entries(type)) typed(value[name], field);
          return value;
        }
        if (typeof type === 'string' && types[type](value)) return value;
        throw new TypeError(`found ${JSON.stringify(value)}, but the declared type is ${JSON.stringify(type)}`);
      }

      const types = {
        any: value => value !== undefined,
        bool: value => typeof value === 'boolean',
        int: Number.isInteger,
        uint: value => Number.isInteger(value) && value >= 0,
        double: value => typeof value === 'number',
        string: value => typeof value === 'string',
      };
      """
    case .validated:
      """
      /** Returns the value if the condition holds; throws otherwise. */
      function validated(value, holds, failure) {
        if (!holds) throw failure;
        return value;
      }
      """
    }
  }
}
