extension FunctionExamples {
  /// A line with a name, then its examples: `  expression → result`.
  static let text = #"""
    !
      !(1 > 2) → true
    !=
      1 != 2 → true
      'a' != 'b' → true
    %
      7 % 3 → 1
      -7 % 3 → -1
    &&
      1 < 2 && 2 < 3 → true
      1 / 0 > 1 && false → false
    *
      3 * 4 → 12
      1.5 * 2 → 3.0
      duration('90s') * 2 → duration('3m')
    +
      1 + 2 → 3
      'a' + 'b' → 'ab'
      [1] + [2, 3] → [1, 2, 3]
      timestamp('2024-02-28T23:00:00Z') + duration('25h') → timestamp('2024-03-01T00:00:00Z')
    -
      5 - 7 → -2
      -(3) → -3
      timestamp('2024-01-02T00:00:00Z') - timestamp('2024-01-01T12:00:00Z') → duration('12h')
    .?
      {'a': 1}.?b.orValue(0) → 0
      {'a': 1}.?a.orValue(0) → 1
    /
      7 / 2 → 3
      7 / 2.0 → 3.5
      duration('1h') / 4 → duration('15m')
      duration('90s') / duration('1m') → 1.5
    <
      1 < 2 → true
      'a' < 'b' → true
    <=
      2 <= 2 → true
    ==
      1 == 1.0 → true
      [1, 'a'] == [1, 'a'] → true
    >
      duration('1m') > duration('59s') → true
    >=
      2.5 >= 2 → true
    ? :
      2 > 1 ? 'more' : 'less' → 'more'
    [ ]
      [10, 20][1] → 20
      {'a': 1}['a'] → 1
    [? ]
      [10, 20][?5].orValue(0) → 0
      {'a': 1}[?'a'].orValue(0) → 1
    in
      2 in [1, 2] → true
      'a' in {'a': 1} → true
    ||
      1 > 2 || 2 > 1 → true
      1 / 0 > 1 || true → true
    all
      [1, 2, 3].all(x, x > 0) → true
      {'a': 1, 'b': 2}.all(k, v, v > 1) → false
    cel.bind
      cel.bind(x, 3 * 3, x + x) → 18
    exists
      [1, 2, 3].exists(x, x > 2) → true
      {'a': 1, 'b': 2}.exists(k, v, k == 'b' && v == 2) → true
    existsOne
      [1, 2, 3].existsOne(x, x > 2) → true
      {'a': 1, 'b': 2}.existsOne(k, v, v > 0) → false
    exists_one
      [1, 2, 3].exists_one(x, x > 1) → false
    fold
      [1, 2, 3].fold(acc, x, 0, acc + x) → 6
      ['a', 'b'].fold(acc, x, '', acc + x + ';') → 'a;b;'
    groupBy
      [1, 2, 3].groupBy(x, x % 2 == 0) → {false: [1, 3], true: [2]}
      ['a', 'bb', 'c'].groupBy(x, size(x)) → {1: ['a', 'c'], 2: ['bb']}
    filter
      [1, 2, 3].filter(x, x > 1) → [2, 3]
      {'a': 1, 'bb': 2}.filter(k, size(k) > 1) → ['bb']
    has
      has({'a': 1}.a) → true
      has({'a': 1}.b) → false
    map
      [1, 2, 3].map(x, x * 2) → [2, 4, 6]
      [1, 2, 3].map(x, x > 1, x * 2) → [4, 6]
    optFlatMap
      optional.of([1, 2]).optFlatMap(list, list.first()).value() → 1
    optMap
      optional.of(2).optMap(x, x + 1).value() → 3
    sortBy
      ['ccc', 'a', 'bb'].sortBy(s, size(s)) → ['a', 'bb', 'ccc']
      [[2, 'a'], [1, 'b'], [1, 'a']].sortBy(p, [p[0], p[1]]) → [[1, 'a'], [1, 'b'], [2, 'a']]
    transformList
      [5, 6].transformList(i, v, i * v) → [0, 6]
      {'a': 1, 'b': 2}.transformList(k, v, v > 1, k) → ['b']
    transformMap
      {'a': 1, 'b': 2}.transformMap(k, v, v * 10) → {'a': 10, 'b': 20}
      {'a': 1, 'b': 2}.transformMap(k, v, v > 1, v * 10) → {'b': 20}
    transformMapEntry
      {'a': 'x'}.transformMapEntry(k, v, {v: k}) → {'x': 'a'}
      ['a', 'b'].transformMapEntry(i, v, i > 0, {v: i}) → {'b': 1}
    bool
      bool('true') → true
    bytes
      bytes('é') → b'\303\251'
    double
      double('2.5') → 2.5
    duration
      duration('1h30m') → duration('5400s')
      duration('1d12h') → duration('36h')
    dyn
      [dyn(1), 'a'] → [1, 'a']
    int
      int(3.9) → 3
      int('-12') → -12
      int(timestamp('1970-01-01T00:01:00Z')) → 60
    string
      string(2.5) → '2.5'
      string(duration('90s')) → '90s'
    timestamp
      timestamp('2024-01-31T00:00:00Z') → timestamp(1706659200)
    type
      type(1) == int → true
    tryDouble
      tryDouble('2.5').orValue(0.0) → 2.5
      tryDouble('n/a').hasValue() → false
    tryInt
      tryInt('12').orValue(0) → 12
      tryInt('1x').orValue(0) → 0
    uint
      uint(3) → 3u
    characters
      '🇫🇷👍🏽'.characters() → ['🇫🇷', '👍🏽']
    charAt
      'hello'.charAt(1) → 'e'
    contains
      'hello'.contains('ell') → true
    endsWith
      'hello'.endsWith('lo') → true
    format
      '%s is %.1f, %d%%'.format(['it', 2.25, 7]) → 'it is 2.2, 7%'
      '%5d|%-5s|%06.2f'.format([42, 'ab', 3.14159]) → '   42|ab   |003.14'
      timestamp('2024-07-01T12:30:00Z').format('yyyy-MM-dd HH:mm', 'Europe/Berlin') → '2024-07-01 14:30'
      timestamp('2024-07-01T12:30:00Z').format('EEE, d MMM yyyy') → 'Mon, 1 Jul 2024'
    indexOf
      'hello'.indexOf('l') → 2
      'hello'.indexOf('l', 3) → 3
      [5, 7, 5].indexOf(5) → 0
    join
      ['a', 'b'].join('-') → 'a-b'
      ['a', 'b'].join() → 'ab'
    lastIndexOf
      'hello'.lastIndexOf('l') → 3
      [5, 7, 5].lastIndexOf(5) → 2
    lowerAscii
      'HeLLo'.lowerAscii() → 'hello'
    lowercased
      'ÄRGER'.lowercased() → 'ärger'
    matches
      '2024-01-31'.matches(r'^\d{4}-\d{2}-\d{2}$') → true
    normalize
      'e\u0301'.normalize() == '\u00e9' → true
    replace
      'hello'.replace('l', 'L') → 'heLLo'
      'hello'.replace('l', 'L', 1) → 'heLlo'
    reverse
      'abc'.reverse() → 'cba'
      [1, 2].reverse() → [2, 1]
    split
      'a,b,c'.split(',') → ['a', 'b', 'c']
      'a,b,c'.split(',', 2) → ['a', 'b,c']
    startsWith
      'hello'.startsWith('he') → true
    strings.quote
      strings.quote('a"b') → '"a\\"b"'
    substring
      'hello'.substring(1, 3) → 'el'
      'hello'.substring(3) → 'lo'
    trim
      ' x '.trim() → 'x'
    upperAscii
      'hello'.upperAscii() → 'HELLO'
    uppercased
      'straße'.uppercased() → 'STRASSE'
    regex.extract
      regex.extract('id:12, id:34', r'id:(\d+)').value() → '12'
    regex.extractAll
      regex.extractAll('id:12, id:34', r'\d+') → ['12', '34']
    regex.groups
      regex.groups('2024-01-31', r'(?P<year>\d+)-(?P<month>\d+)').value() → {'year': '2024', 'month': '01'}
    regex.replace
      regex.replace('2024-01-31', r'(\d+)-(\d+)-(\d+)', r'\3.\2.\1') → '31.01.2024'
    distinct
      [1, 2, 1].distinct() → [1, 2]
    first
      [1, 2].first().value() → 1
    flatten
      [[1], [2, [3]]].flatten() → [1, 2, [3]]
      [[1], [2, [3]]].flatten(2) → [1, 2, 3]
    last
      [].last().orValue(0) → 0
    lists.range
      lists.range(3) → [0, 1, 2]
    sets.contains
      sets.contains([1, 2, 3], [3, 1]) → true
    sets.equivalent
      sets.equivalent([1, 1, 2], [2, 1]) → true
    sets.intersects
      sets.intersects([1, 2], [2, 3]) → true
    average
      [1, 2, 6].average() → 3.0
    isSorted
      [1, 2, 2].isSorted() → true
    keys
      {'a': 1, 'b': 2}.keys() → ['a', 'b']
    max
      [1, 3, 2].max() → 3
    merge
      {'a': 1, 'b': 2}.merge({'a': 3, 'c': 4}) → {'a': 3, 'b': 2, 'c': 4}
    min
      ['b', 'a'].min() → 'a'
    percentile
      [1, 2, 3, 4].percentile(50) → 2.5
      [10, 20, 30].percentile(95) → 29.0
    rename
      {'a': 1, 'b': 2}.rename({'a': 'x'}) → {'x': 1, 'b': 2}
    size
      size('ä€😀') → 3
      [1, 2].size() → 2
      size({'a': 1}) → 1
    slice
      [1, 2, 3, 4].slice(1, 3) → [2, 3]
    sort
      [3, 1, 2].sort() → [1, 2, 3]
    sum
      [1, 2, 3].sum() → 6
      [duration('1m'), duration('30s')].sum() → duration('90s')
    values
      {'a': 1, 'b': 2}.values() → [1, 2]
    without
      {'a': 1, 'b': 2, 'c': 3}.without('a', 'c') → {'b': 2}
    zip
      [1, 2, 3].zip(['a', 'b']) → [[1, 'a'], [2, 'b']]
    atan2
      round(atan2(1, 1), 3) → 0.785
    clamp
      clamp(12, 0, 10) → 10
    math.abs
      math.abs(-3) → 3
    math.acos
      math.acos(1) → 0.0
    math.asin
      math.asin(0) → 0.0
    math.atan
      round(math.atan(1), 3) → 0.785
    math.atan2
      round(math.atan2(1, 1), 3) → 0.785
    math.bitAnd
      math.bitAnd(6, 3) → 2
    math.bitNot
      math.bitNot(0) → -1
    math.bitOr
      math.bitOr(4, 1) → 5
    math.bitShiftLeft
      math.bitShiftLeft(1, 4) → 16
    math.bitShiftRight
      math.bitShiftRight(16, 2) → 4
    math.bitXor
      math.bitXor(6, 3) → 5
    math.ceil
      math.ceil(1.2) → 2.0
    math.cos
      math.cos(0) → 1.0
    math.exp
      math.exp(0) → 1.0
    math.floor
      math.floor(-1.2) → -2.0
    math.greatest
      math.greatest(1, 3, 2) → 3
      math.greatest([1, 3, 2]) → 3
    math.isFinite
      math.isFinite(1.0 / 0.0) → false
    math.isInf
      math.isInf(1.0 / 0.0) → true
    math.isNaN
      math.isNaN(0.0 / 0.0) → true
    math.least
      math.least(3, 1, 2) → 1
    math.log
      math.log(1) → 0.0
    math.log10
      math.log10(1000) → 3.0
    math.pi
      round(math.pi(), 4) → 3.1416
    math.pow
      math.pow(2, 10) → 1024.0
    math.round
      math.round(2.5) → 3.0
    math.sign
      math.sign(-3) → -1
    math.sin
      math.sin(0) → 0.0
    math.sqrt
      math.sqrt(16) → 4.0
    math.tan
      math.tan(0) → 0.0
    math.trunc
      math.trunc(-1.7) → -1.0
    random
      random() < 1.0 && random() >= 0.0 → true
    round
      round(3.14159, 2) → 3.14
    getDate
      timestamp('2024-02-29T00:00:00Z').getDate() → 29
    getDayOfMonth
      timestamp('2024-02-29T00:00:00Z').getDayOfMonth() → 28
    getDayOfWeek
      timestamp('2024-02-29T00:00:00Z').getDayOfWeek() → 4
    getDayOfYear
      timestamp('2024-02-29T00:00:00Z').getDayOfYear() → 59
    getFullYear
      timestamp('2024-02-29T00:00:00Z').getFullYear() → 2024
    getHours
      timestamp('2024-07-01T00:00:00Z').getHours('Europe/Berlin') → 2
      duration('90m').getHours() → 1
    getMilliseconds
      timestamp('2024-02-29T00:00:00.125Z').getMilliseconds() → 125
    getMinutes
      duration('90s').getMinutes() → 1
    getMonth
      timestamp('2024-02-29T00:00:00Z').getMonth() → 1
    getSeconds
      timestamp('2024-02-29T00:00:07Z').getSeconds() → 7
      duration('2m').getSeconds() → 120
    millis
      timestamp('1970-01-01T00:00:01.5Z').millis() → 1500
      duration('90s').millis() → 90000
    now
      now() >= timestamp(0) → true
    parseTime
      parseTime('31/Jan/2024:10:00:00 +0100', 'dd/MMM/yyyy:HH:mm:ss Z') → timestamp('2024-01-31T09:00:00Z')
      parseTime('2024-07-01 12:00', 'yyyy-MM-dd HH:mm', 'Europe/Berlin') → timestamp('2024-07-01T10:00:00Z')
    timestamp.fromMillis
      timestamp.fromMillis(1706695200500) → timestamp('2024-01-31T10:00:00.5Z')
    hasValue
      optional.none().hasValue() → false
    optional.none
      optional.none().orValue(1) → 1
    optional.of
      optional.of(1).value() → 1
    optional.ofNonZeroValue
      optional.ofNonZeroValue('').hasValue() → false
    optional.unwrap
      optional.unwrap([optional.of(1), optional.none()]) → [1]
    or
      optional.none().or(optional.of(1)).value() → 1
    orValue
      {'a': 1}.?b.orValue(0) → 0
    unwrapOpt
      [optional.of(1), optional.none()].unwrapOpt() → [1]
    value
      optional.of(1).value() → 1
    base64.decode
      base64.decode('aGVsbG8=') → b'hello'
    base64.encode
      base64.encode(b'hello') → 'aGVsbG8='
    parseJSON
      parseJSON('{"a": [1, 2.5]}').a → [1, 2.5]
    sha256
      sha256('abc').substring(0, 8) → 'ba7816bf'
    toJSON
      toJSON({'a': [1, null]}) → '{"a":[1,null]}'
    cidr
      string(cidr('10.0.0.0/8')) → '10.0.0.0/8'
    containsCIDR
      cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') → true
    containsIP
      cidr('10.0.0.0/8').containsIP('10.1.2.3') → true
    family
      ip('::1').family() → 6
    ip
      string(ip('2001:DB8:0:0::1')) → '2001:db8::1'
      string(cidr('10.1.0.0/16').ip()) → '10.1.0.0'
    ip.isCanonical
      ip.isCanonical('2001:DB8::1') → false
    isCIDR
      isCIDR('10.0.0.0/8') → true
    isGlobalUnicast
      ip('8.8.8.8').isGlobalUnicast() → true
    isIP
      isIP('1.2.3') → false
    isLinkLocalMulticast
      ip('224.0.0.1').isLinkLocalMulticast() → true
    isLinkLocalUnicast
      ip('169.254.0.1').isLinkLocalUnicast() → true
    isLoopback
      ip('127.0.0.1').isLoopback() → true
    isUnspecified
      ip('0.0.0.0').isUnspecified() → true
    masked
      string(cidr('10.1.2.3/8').masked()) → '10.0.0.0/8'
    prefixLength
      cidr('10.0.0.0/8').prefixLength() → 8
    """#
}
