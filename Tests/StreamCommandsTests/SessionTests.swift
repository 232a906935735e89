import TestSupport
import Testing

/// Commands in order with all of their output, also for invalid arguments and files.
///
/// The expected output is in `Sessions/`. `UPDATE_GOLDEN=1 swift test` writes it again; read the changes.
@Suite struct SessionTests {
  /// The commands by the name of the file that has what they print.
  static let sessions: [String: [String]] = [
    "format": [
      "streamrun format --help", "streamrun format messy.json", "streamrun format wrong.json",
      "streamrun format messy.json -o out.json", "streamrun format out.json --check",
      "streamrun format . --check", "streamrun format messy.json out.json --in-place", "streamrun format . --check",
      "streamrun format wrong.json --add-ids", "streamrun format broken.json good.json",
      "streamrun format broken.json --in-place", "cat broken.json", "streamrun format good.json --add-ids",
      "echo '{\"stream\":[]}' | streamrun format -", "streamrun format", "streamrun format gone.json",
      "streamrun format empty", "streamrun format good.json --check --in-place", "streamrun format - --in-place",
      "streamrun format good.json messy.json -o out.json", "streamrun format good.json -o empty",
      "streamrun format good.json -o gone/out.json",
    ],
    "watch": [
      "streamrun run --help", "streamrun --watch", "streamrun --watch -", "streamrun run --watch gone.json",
      "streamrun --watch empty", "streamrun --watch broken.json",
      "streamrun good.json --watch --format marbles --limit 1",
      "streamrun --watch good.json --set a=1", "streamrun --watch good.json --input a=gone.ndjson",
      "streamrun --watch good.json --event-time value", "streamrun good.json --watch=yes",
      "streamrun --watch good.json --limit 2", "streamrun --watch good.json --limit 1 --virtual --timestamps",
    ],
    "threads": [
      "streamrun good.json --threads 0", "streamrun good.json --threads 3", "streamrun good.json --threads many",
      "streamrun good.json --threads", "streamrun good.json --threads 1", "streamrun good.json --threads 2",
    ],
    "canonical": [
      "streamrun canonical --help", "streamrun canonical messy.json; echo",
      "streamrun canonical messy.json -o out.json",
      "cat out.json; echo", "streamrun canonical large.json", "streamrun canonical broken.json",
      "streamrun canonical gone.json", "streamrun canonical empty", "streamrun canonical",
      "printf '[1.0, 1e21]' | streamrun canonical -; echo",
    ],
    "hash": [
      "streamrun hash --help", "streamrun hash messy.json good.json", "streamrun hash --behavior messy.json good.json",
      "streamrun hash large.json gone.json good.json", "streamrun hash --behavior wrong.json", "streamrun hash empty",
      "streamrun hash", "echo '{\"stream\": []}' | streamrun hash -",
    ],
    "lsp": [
      "streamrun lsp --help", "streamrun lsp extra", "streamrun lsp < /dev/null",
      "printf 'Content-Length: 33\\r\\n\\r\\n{\"method\":\"exit\",\"jsonrpc\":\"2.0\"}' | streamrun lsp",
      "printf 'Content-Length: 13\\r\\n\\r\\n{\"method\": 5}' | streamrun lsp | tr -d '\\r'; echo",
    ],
    "edit": [
      "streamrun edit --help", "streamrun edit good.json --append-item 4 --delay 0.5 --dry-run",
      "streamrun edit good.json --insert-item '\"first\"' --at 0 --remove-item 2 --dry-run",
      "streamrun edit good.json --set /x-note=1.50 --rename 'New name' --remove /x-note --dry-run",
      "streamrun edit good.json --add-operator '{\"drop\": {}}' --at 0 --move-operator 0:1 --dry-run",
      "streamrun edit good.json --remove-operator total -o out.json; cat out.json",
      "streamrun edit good.json --dry-run",
      "streamrun edit good.json --append-item -7; streamrun edit good.json --remove-item 3 --dry-run",
      "streamrun edit good.json --rename Good --dry-run", "streamrun edit good.json --append-item word",
      "streamrun edit good.json --set /name", "streamrun edit good.json --set name=1",
      "streamrun edit good.json --set /name=1", "streamrun edit good.json --set /nmae='\"n\"'",
      "streamrun edit good.json --remove /operators/7/map", "streamrun edit good.json --insert-item 1",
      "streamrun edit good.json --insert-item 1 --at 9", "streamrun edit good.json --at 1 --remove-item 1",
      "streamrun edit good.json --delay 1", "streamrun edit good.json --remove-operator totl",
      "streamrun edit good.json --move-operator 1", "streamrun edit good.json --move-operator total:9",
      "streamrun edit good.json --add-operator '{\"mpa\": {}}'", "streamrun edit good.json --set-input a=1",
      "streamrun edit wrong.json --append-item 1", "streamrun edit wrong.json --remove /nmae; cat wrong.json",
      "streamrun edit broken.json --append-item 1", "streamrun edit gone.json --append-item 1",
      "streamrun edit empty --append-item 1", "streamrun edit good.json --append-item 5 -o gone/out.json",
      "streamrun edit good.json --append-item 5 -o empty",
      "echo '{\"stream\": []}' | streamrun edit - --append-item 1",
    ],
    "wrong-files": [
      "format", "canonical", "hash", "explain", "show", "show --graph",
      "patch good.json", "merge good.json good.json", "diff good.json", "edit --append-item 1", "validate", "test",
      "bench",
    ].flatMap { command in
      ["nothing.json", "text.json", "list.json", "gone.json", "empty"].map { "streamrun \(command) \($0)" }
    },
    "wrong-arguments": [
      "streamrun operators mapp", "streamrun operators map filter", "streamrun operators map --format yaml",
      "streamrun operators ''", "streamrun operators MAP", "streamrun explain good.json messy.json",
      "streamrun explain good.json --format svg",
      "streamrun eval", "streamrun eval ''", "streamrun eval '1 +'", "streamrun eval 1 2", "streamrun eval --value 1",
      "streamrun eval value --value", "streamrun eval value --value '{'", "streamrun eval valu --value 1",
      "streamrun eval a --set a", "streamrun eval a --set a=x", "streamrun eval a --set a=1 --set a=2",
      "streamrun eval value --value 1 --set value=2", "streamrun eval 1/0", "streamrun eval 1 --format csv",
      "streamrun eval 1 --set =1", "streamrun eval 1 --set 1a=1", "streamrun eval 1 --set 'a b=1'",
      "streamrun hash good.json --format csv", "streamrun hash --behaviour good.json", "streamrun hash good.json -o x",
      "streamrun canonical good.json messy.json", "streamrun canonical good.json -o gone/x",
      "streamrun canonical good.json -o empty", "streamrun canonical good.json --in-place",
      "streamrun schema hash diff", "streamrun schema STREAM", "streamrun schema -o gone/x.json",
      "streamrun schema --write good.json", "streamrun patch good.json messy.json large.json",
      "streamrun merge good.json", "streamrun merge good.json good.json", "streamrun merge - - good.json",
      "streamrun merge good.json good.json good.json --favor none", "streamrun export good.json",
      "streamrun bench", "streamrun bench good.json --rounds 0", "streamrun bench good.json --values 0",
      "streamrun bench good.json --every 1", "streamrun bench good.json --input a=good.json",
      "streamrun bench good.json --set a=1", "streamrun bench - -", "streamrun bench good.json --format csv",
      "streamrun show good.json --format png", "streamrun show good.json -o picture.png",
      "streamrun show good.json -o picture.mmd", "streamrun show good.json --every 1",
      "streamrun show good.json --for=-1", "streamrun show good.json -o empty",
      "streamrun show good.json --input a=good.json", "streamrun show good.json --input a",
      "streamrun show good.json --graph --every 3", "streamrun show good.json --graph --event-time value",
      "streamrun show good.json --format svg --ascii", "streamrun edit", "streamrun edit good.json --dry-run -o x",
      "streamrun edit good.json --append-item", "streamrun edit good.json --nonsense",
      "streamrun edit good.json --add-operator '{}'", "streamrun edit good.json --add-operator '[]'",
      "streamrun edit good.json --add-operator map", "streamrun edit good.json --append-item 1 --delay=-1",
      "streamrun edit good.json --append-item 1 --delay x", "streamrun edit good.json --remove-item x",
      "streamrun edit good.json --remove-item 9", "streamrun edit good.json --remove-item=-1",
      "streamrun edit good.json --set-input a", "streamrun edit good.json --at 0", "streamrun diff",
      "streamrun diff good.json good.json --behaviour", "streamrun diff good.json good.json --for 1",
      "streamrun diff good.json good.json --behavior --format merge-patch", "streamrun format good.json --nonsense",
      "streamrun format good.json --check -o x", "streamrun validate", "streamrun nonsense",
      "streamrun show --nonsense",
    ],
  ]

  private static let files: [(String, String)] = [
    (
      "good.json",
      """
      {
        "name": "Good",
        "stream": [
          { "value": 1 },
          { "value": 2.50 },
          { "value": 3 }
        ],
        "operators": [
          { "map": { "expression": "value * 2" } },
          { "id": "total", "scan": { "expression": "acc + value" } }
        ]
      }

      """
    ),
    (
      "messy.json", #"{"operators":[{"scan":{"expression":"acc + value","initialValue":1e3}}],"stream":[ ],"name":"M"}"#
    ),
    ("wrong.json", #"{"nmae": "typing error", "stream": []}"# + "\n"),
    ("broken.json", #"{"stream": [}"# + "\n"),
    ("nothing.json", ""), ("text.json", "no JSON\n"), ("list.json", "[1, 2]\n"),
    ("large.json", #"{"stream": [{"value": 9007199254740993}]}"# + "\n"),
  ]

  @Test("A session prints what it printed", arguments: sessions.keys.sorted())
  func session(_ name: String) {
    let folder = Fixture.Folder()
    for (file, text) in Self.files { folder.add(file, text) }
    folder.addFolder("empty")
    Session.check(name, Self.sessions[name] ?? [], in: folder.path)
  }
}
