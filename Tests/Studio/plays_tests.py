"""Plays about the tests of a stream."""
import json
import time

from server import expect_equal, expect_in, play

PLAYS = []
STREAM = {
    "inputs": {"query": {"type": "string"}},
    "source": {"input": {"name": "query"}},
    "operators": [{"map": {"expression": "size(value) > 3 ? value : 'short'"}}, {"debounce": {"seconds": 0.3}}],
    "tests": [
        {
            "name": "a pause",
            "inputs": {"query": {"events": [{"at": 0, "value": "swift"}, {"at": 1, "finished": True}]}},
            "expect": {"events": [{"at": 0.3, "value": "swift"}, {"at": 1, "finished": True}]},
        },
        {
            "name": "wrong",
            "inputs": {"query": {"events": [{"at": 0, "value": "combine"}, {"at": 1, "finished": True}]}},
            "expect": {"events": [{"at": 0.2, "value": "combine"}, {"at": 1, "finished": True}]},
        },
    ],
}


def open_stream(world, name, stream=None):
    person, server = world.person, world.server
    server.write(name, json.dumps(stream or STREAM, indent=2))
    time.sleep(0.3)
    person.open(server, "Tests", name)


@play(PLAYS)
def results_with_what_differs(world):
    """Results with what differs."""
    person = world.person
    open_stream(world, "results.json")
    person.sees("1 passed", ".tests-view .toolbar")
    person.sees("wrong", ".test.failed")
    expect_in("combine at 200 ms", person.text(".test.failed .test-table"))
    expect_in("combine at 300 ms", person.text(".test.failed .test-table"))
    expect_equal(len(person.css(".test.failed .test-row")), 2)
    expect_equal(len(person.css(".test.failed .different rect, .test.failed rect.different")), 2)
    expect_in("2 of 2 operators", person.text("[aria-label=Coverage]"))
    expect_in("1 of 2 branches", person.text("[aria-label=Coverage]"))
    person.check_accessibility()


@play(PLAYS)
def the_tests_follow_the_text(world):
    """The tests follow the text."""
    person = world.person
    open_stream(world, "follow.json")
    person.sees("wrong", ".test.failed")
    person.click("button", "Edit", ".test.failed")
    person.wait(lambda: "/pipeline/" in person.driver.current_url, "the pipeline")
    person.sees("wrong", ".inspector h2")
    person.wait(lambda: person.css('.node[data-pointer="/operators/1"]'), "the cards")[0].click()
    seconds = person.wait(lambda: person.css(".inspector input.number"), "the field")[0]
    seconds.clear()
    seconds.send_keys("0.2")
    person.click("link", "Tests")
    person.sees("wrong", ".test.passed")
    person.sees("a pause", ".test.failed")


@play(PLAYS)
def a_test_is_made_of_the_marbles(world):
    """A test is made of the marbles."""
    person = world.person
    stream = {key: value for key, value in STREAM.items() if key != "tests"}
    stream["source"] = {"sequence": {"values": ["swift"]}}
    del stream["inputs"]
    open_stream(world, "none.json", stream)
    person.sees("This stream has no tests", ".tests-view .empty")
    person.click("button", "New test from the marbles", ".empty")
    person.sees("The test expects", "dialog")
    person.click("button", "Add test", "dialog")
    person.sees("Enter a name", "dialog .error")
    person.type("one value\n")
    person.sees("one value", ".test.passed")
    person.click("button", "New test from the marbles", ".toolbar")
    person.sees("The test expects", "dialog")
    person.type("one value\n")
    person.sees("There is a test of this name", "dialog .error")
