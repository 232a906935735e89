import TestSupport
import Testing

/// `streamrun diff` and `streamrun merge` as programs of git.
@Suite struct GitTests {
  private static let base = """
    {
      "name": "Numbers",
      "stream": [ { "value": 1 }, { "value": 2 } ],
      "operators": [
        { "filter": { "expression": "value > 0" } },
        { "map": { "expression": "value * 2" } }
      ]
    }

    """

  /// A repository with the base in it as `Streams/numbers.json`, and streamrun for what git asks about JSON files.
  private final class Repository {
    let folder: String
    private let parent = Fixture.Folder()

    init() {
      folder = parent.path("repository")
      let setup = """
        mkdir -p repository/Streams && cd repository && git init -q -b main
        git config user.name Tester && git config user.email tester@example.com
        git config core.pager cat
        git config diff.streamrun.command "'\(Subprocess.path)' diff"
        git config merge.streamrun.name 'streams by meaning'
        git config merge.streamrun.driver "'\(Subprocess.path)' merge --in-place --path %P %O %A %B"
        printf '*.json diff=streamrun merge=streamrun\\n' > .gitattributes
        """
      _ = Subprocess.shell(setup, in: parent.path)
      write(GitTests.base)
      run("git add . && git commit -q -m base")
    }

    deinit { _ = Subprocess.shell("rm -rf repository", in: parent.path) }

    func write(_ text: String, to name: String = "Streams/numbers.json") {
      Fixture.write(text, to: "\(folder)/\(name)")
    }
    func read() -> String { Fixture.read("\(folder)/Streams/numbers.json") }

    @discardableResult
    func run(_ command: String) -> String { Subprocess.shell(command, in: folder) }

    /// Commits a version of the file on a branch of its own, and goes back to `main`.
    func commit(_ text: String, on branch: String) {
      run("git checkout -q -b \(branch) main")
      write(text)
      run("git commit -q -a -m '\(branch)' && git checkout -q main")
    }
  }

  private static let changed = """
    --- a/Streams/numbers.json
    +++ b/Streams/numbers.json
    changed  operator 2 (map)  state kept
               expression  - value * 2
                           + value * 3

    """

  @Test("Git diff shows what has changed by meaning, as its driver and as GIT_EXTERNAL_DIFF")
  func differences() {
    let repository = Repository()
    repository.write(Self.base.replacing("value * 2", with: "value * 3"))
    #expect(repository.run("git diff") == Self.changed)
    repository.run("rm .gitattributes && git add -A && git commit -q -m changed")
    let external = "GIT_EXTERNAL_DIFF=\"'\(Subprocess.path)' diff\" git diff HEAD~1 HEAD -- Streams"
    #expect(repository.run(external) == Self.changed)
  }

  @Test("Added, deleted and renamed files and files that are not streams are shown, and git continues")
  func others() {
    let repository = Repository()
    repository.write("{ \"stream\": [] }\n", to: "Streams/new.json")
    repository.write("{\n", to: "Streams/broken.json")
    repository.run("git add . && git commit -q -m two && git rm -q Streams/new.json")
    repository.write("{}\n", to: "Streams/broken.json")
    repository.write(
      Self.base.replacing("\n", with: "").replacing("[ { \"value\": 1 }", with: "[{\"value\":1}"))
    let expected = """
      --- a/Streams/broken.json
      +++ b/Streams/broken.json
      @@ -1 +1 @@
      -{
      +{}
      --- a/Streams/new.json
      +++ /dev/null
      @@ -1 +0,0 @@
      -{ "stream": [] }
      --- a/Streams/numbers.json
      +++ b/Streams/numbers.json
      only the spelling differs: the streams are the same

      """
    #expect(repository.run("git diff HEAD") == expected)
    repository.run("git checkout -q -f && git mv Streams/numbers.json Streams/renamed.json")
    Fixture.write(
      Self.base.replacing("value * 2", with: "value * 3"), to: "\(repository.folder)/Streams/renamed.json")
    let renamed = Self.changed.replacing("b/Streams/numbers", with: "b/Streams/renamed")
    #expect(repository.run("git diff -M HEAD -- Streams/numbers.json Streams/renamed.json") == renamed)
  }

  @Test("Two branches that change neighboring operators are merged, where lines alone are in conflict")
  func merging() {
    let repository = Repository()
    let ours = Self.base.replacing("value > 0", with: "value > 1")
    let theirs = Self.base.replacing("value * 2", with: "value * 3")
    repository.commit(ours, on: "ours")
    repository.commit(theirs, on: "theirs")
    repository.run("git checkout -q ours")
    let merged = repository.run("git merge -q -m merged theirs && git status --short")
    #expect(merged == "Auto-merging Streams/numbers.json\n" || merged == "")
    #expect(repository.read() == ours.replacing("value * 2", with: "value * 3"))
    // The result of git's own merge.
    repository.run("git reset -q --hard HEAD~1 && printf '*.json merge=text\\n' > .git/info/attributes")
    #expect(repository.run("git merge -q -m merged theirs").contains("CONFLICT"))
  }

  private static let readings = """
    {
      "stream": [
        { "value": 7 }
      ],
      "operators": [
        { "filter": { "expression": "value >= 5" } },
        { "debounce": { "seconds": 1 } }
      ]
    }

    """

  @Test("A conflict loses nothing: what does not conflict is merged, and a mark holds until it is resolved")
  func marks() throws {
    let repository = Repository()
    repository.write(Self.readings)
    repository.run("git commit -q -a -m readings")
    repository.commit(Self.readings.replacing(">= 5", with: ">= 6"), on: "ours")
    repository.commit(
      Self.readings.replacing(">= 5", with: ">= 4").replacing("\"seconds\": 1", with: "\"seconds\": 2"), on: "theirs")
    repository.run("git checkout -q ours && git merge -q -m merged theirs")
    let merged = Self.readings.replacing(">= 5", with: ">= 6").replacing("\"seconds\": 1", with: "\"seconds\": 2")
    let file = repository.read()
    #expect(file.hasPrefix(merged.dropLast(5)))
    #expect(file.contains(#""x-conflict": ["#))
    for part in [
      #""at": "/operators/0/filter/expression""#, #""base": "value >= 5""#, #""ours": "value >= 6""#,
      #""theirs": "value >= 4""#,
    ] { #expect(file.contains(part), "\(file)") }
    // Committed by mistake, it is invalid still.
    repository.run("git commit -q -a -m mistake")
    for command in ["validate", "run", "test"] {
      let outcome = Subprocess.run([command, "Streams/numbers.json"], in: repository.folder)
      #expect(outcome.code == 2, "\(command)")
      #expect((outcome.errors + outcome.output).contains("Streams/numbers.json:6:33: error S134: operator 1 (filter)"))
    }
    // Setting it in form keeps the mark.
    #expect(Subprocess.run(["format", "-i", "Streams/numbers.json"], in: repository.folder).code == 0)
    #expect(repository.read().contains(#""x-conflict": ["#))
    let other = Subprocess.run(["resolve", "Streams/numbers.json", "/operators/1"], in: repository.folder)
    #expect(other.code == 2)
    #expect(other.errors.contains("there is no conflict at '/operators/1'"))
    let resolved = Subprocess.run(
      ["resolve", "Streams/numbers.json", "--favor", "theirs", "/operators/0/filter/expression"], in: repository.folder)
    #expect(resolved == Outcome(output: "", errors: "1 conflict resolved, 0 left\n", code: 0))
    #expect(repository.read() == merged.replacing(">= 6", with: ">= 4"))
    #expect(Subprocess.run(["validate", "Streams/numbers.json"], in: repository.folder).code == 0)
    #expect(Subprocess.run(["resolve", "Streams/numbers.json"], in: repository.folder).code == 2)
  }

  @Test("Two branches that change one operator are in conflict: ours is kept, and both are reported")
  func conflict() {
    let repository = Repository()
    let ours = Self.base.replacing("value > 0", with: "value > 1")
    repository.commit(ours, on: "ours")
    repository.commit(Self.base.replacing("value > 0", with: "value > 2"), on: "theirs")
    repository.run("git checkout -q ours")
    let told = repository.run("git merge -q -m merged theirs; git status --short")
    #expect(
      told.contains(
        "Streams/numbers.json:5:33: error S133: operator 1 (filter), expression: both sides have changed it"))
    #expect(told.contains("= note: base: /operators/0/filter/expression: \"value > 0\""))
    #expect(told.contains("CONFLICT (content): Merge conflict in Streams/numbers.json"))
    #expect(told.hasSuffix("UU Streams/numbers.json\n"))
    #expect(repository.read().hasPrefix(ours.dropLast(5)))
    #expect(repository.read().contains(#""theirs": "value > 2""#))
  }

  private static let reader = """
    {
      "name": "Reader",
      "source": { "file": { "path": "in.ndjson", "format": "ndjson", "type": "int" } },
      "operators": [
        { "filter": { "expression": "value > 0" } },
        { "count": {} }
      ]
    }

    """

  /// A repository in which one branch has moved `Streams/reader.json` elsewhere and has given it another name, and the
  /// other, which is checked out, has changed its filter.
  private static func moving(_ move: String, to path: String) -> (Repository, path: String, expected: String) {
    let repository = Repository()
    repository.write(reader, to: "Streams/reader.json")
    repository.write("1\n", to: "Streams/in.ndjson")
    repository.run("git add . && git commit -q -m reader && git checkout -q -b theirs && \(move)")
    repository.write(reader.replacing("\"Reader\"", with: "\"Theirs\""), to: path)
    repository.run("git add -A && git commit -q -m theirs && git checkout -q -b ours main")
    repository.write(reader.replacing("value > 0", with: "value > 1"), to: "Streams/reader.json")
    repository.run("git commit -q -a -m ours")
    let expected = reader.replacing("\"Reader\"", with: "\"Theirs\"").replacing("value > 0", with: "value > 1")
    return (repository, "\(repository.folder)/\(path)", expected)
  }

  @Test(
    "A file that one branch has renamed or moved is merged, and the files that it names are granted",
    arguments: [
      ("git mv Streams/reader.json Streams/other.json", "Streams/other.json"),
      ("git mv Streams Other", "Other/reader.json"),
      ("mkdir -p A/B && git mv Streams/* A/B", "A/B/reader.json"),
    ])
  func renames(_ move: String, _ path: String) {
    let (repository, path, expected) = Self.moving(move, to: path)
    let told = repository.run("git merge -q -m merged theirs; echo $?; git status --short")
    #expect(told.hasSuffix("0\n") && !told.contains("error"), "\(told)")
    #expect(Fixture.read(path) == expected)
  }

  @Test("A file may name a file that the other branch has added")
  func addedTogether() {
    let repository = Repository()
    let outer = "{\n  \"name\": \"a\",\n  \"source\": { \"stream\": { \"file\": \"numbers.json\" } }\n}\n"
    repository.write(outer, to: "Streams/outer.json")
    repository.run("git add . && git commit -q -m outer && git checkout -q -b theirs")
    repository.write(outer.replacing("numbers", with: "added"), to: "Streams/outer.json")
    repository.write(Self.base, to: "Streams/added.json")
    repository.run("git add . && git commit -q -m theirs && git checkout -q -b ours main")
    repository.write(outer.replacing("\"a\"", with: "\"b\""), to: "Streams/outer.json")
    repository.run("git commit -q -a -m ours")
    #expect(repository.run("git merge -q -m merged theirs; echo $?").hasSuffix("0\n"))
    let merged = Fixture.read("\(repository.folder)/Streams/outer.json")
    #expect(merged == outer.replacing("numbers", with: "added").replacing("\"a\"", with: "\"b\""))
    #expect(Subprocess.run(["validate", "Streams"], in: repository.folder).code == 0)
  }

  @Test("A side that is not a stream file loses nothing: its lines are merged, and conflicts are marked")
  func broken() {
    let repository = Repository()
    repository.commit(
      Self.base.replacing("value > 0", with: "value > 1").replacing("Numbers", with: "Ours"), on: "ours")
    let theirs = Self.base.replacing("value > 0\"", with: "value > 2").replacing("value * 2", with: "value * 3")
    repository.commit(theirs, on: "theirs")
    repository.run("git checkout -q ours")
    let told = repository.run("git merge -q -m merged theirs; git status --short")
    #expect(told.contains("CONFLICT (content): Merge conflict in Streams/numbers.json"), "\(told)")
    #expect(
      told.contains(
        "a version is not a stream file, so lines were merged: 1 conflict between '<<<<<<<' and '>>>>>>>'\n"))
    let expected = """
      {
        "name": "Ours",
        "stream": [ { "value": 1 }, { "value": 2 } ],
        "operators": [
      <<<<<<< ours
          { "filter": { "expression": "value > 1" } },
          { "map": { "expression": "value * 2" } }
      =======
          { "filter": { "expression": "value > 2 } },
          { "map": { "expression": "value * 3" } }
      >>>>>>> theirs
        ]
      }

      """
    #expect(repository.read() == expected)
    // git's own merge of lines gives the same, but for the names of the sides.
    repository.run("git merge --abort && printf '*.json merge=text\\n' > .git/info/attributes")
    repository.run("git merge -q -m merged theirs")
    #expect(
      repository.read().replacing("<<<<<<< HEAD", with: "<<<<<<< ours") == expected)
  }

  @Test("If both branches have added a file of one name, there is no base")
  func addedByBoth() {
    let repository = Repository()
    for (branch, member) in [("ours", "name"), ("theirs", "description")] {
      repository.run("git checkout -q -b \(branch) main")
      repository.write("{ \"\(member)\": \"x\", \"stream\": [ { \"value\": 1 } ] }\n", to: "Streams/both.json")
      repository.run("git add . && git commit -q -m \(branch)")
    }
    repository.run("git checkout -q ours && git merge -q -m merged theirs")
    let merged = Fixture.read("\(repository.folder)/Streams/both.json")
    #expect(merged == "{ \"name\": \"x\", \"description\": \"x\", \"stream\": [ { \"value\": 1 } ] }\n")
  }

  @Test("Paths in a file are relative to where it belongs, not to the copy that git makes")
  func paths() {
    let repository = Repository()
    let outer =
      "{ \"source\": { \"stream\": { \"file\": \"numbers.json\" } }, \"name\": \"a\", \"description\": \"b\" }\n"
    repository.write(outer, to: "Streams/outer.json")
    repository.run("git add . && git commit -q -m outer")
    for (branch, change) in [("ours", "\"a\""), ("theirs", "\"b\"")] {
      repository.run("git checkout -q -b \(branch) main")
      repository.write(outer.replacing(change, with: "\"\(branch)\""), to: "Streams/outer.json")
      repository.run("git commit -q -a -m \(branch)")
    }
    repository.run("git checkout -q ours && git merge -q -m merged theirs")
    let merged = Fixture.read("\(repository.folder)/Streams/outer.json")
    #expect(merged == outer.replacing("\"a\"", with: "\"ours\"").replacing("\"b\"", with: "\"theirs\""))
  }
}
