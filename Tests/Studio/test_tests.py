"""The view of tests in a browser: python3 Tests/Studio/test_tests.py"""
import json

from browser import StudioTest, time, unittest

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


class TestsTest(StudioTest):
    def open_stream(self, name, stream=None):
        self.studio.write(name, json.dumps(stream or STREAM, indent=2))
        time.sleep(0.3)
        self.open("tests", name)

    def test_results_with_what_differs(self):
        self.open_stream("results.json")
        self.wait_for(".tests-view .toolbar", "1 passed")
        self.wait_for(".test.failed", "wrong")
        self.assertIn("combine at 200 ms", self.text(".test.failed .test-table"))
        self.assertIn("combine at 300 ms", self.text(".test.failed .test-table"))
        self.assertEqual(len(self.all(".test.failed .test-row")), 2)
        self.assertEqual(len(self.all(".test.failed .different rect, .test.failed rect.different")), 2)
        self.assertIn("2 of 2 operators", self.text("[aria-label=Coverage]"))
        self.assertIn("1 of 2 branches", self.text("[aria-label=Coverage]"))
        self.check_accessibility()

    def test_an_expectation_is_updated(self):
        self.open_stream("update.json")
        self.click("Update expectation")
        self.wait_for(".tests-view .toolbar", "2 passed")
        self.wait_for(".toast", "Updated the expectation")
        self.click("Undo", ".toast")
        self.wait_for(".tests-view .toolbar", "1 failed")

    def test_the_tests_follow_the_text(self):
        self.open_stream("follow.json")
        self.wait_for(".test.failed", "wrong")
        self.click("Edit", ".test.failed")
        self.wait(lambda: "/pipeline/" in self.browser.current_url, "the pipeline")
        self.wait_for(".inspector h2", "wrong")
        self.wait(lambda: self.all('.node[data-pointer="/operators/1"]'), "the cards")[0].click()
        seconds = self.wait(lambda: self.all(".inspector input.number"), "the field")[0]
        seconds.clear()
        seconds.send_keys("0.2")
        self.click("Tests")
        self.wait_for(".test.passed", "wrong")
        self.wait_for(".test.failed", "a pause")

    def test_a_test_is_made_of_the_marbles(self):
        stream = {key: value for key, value in STREAM.items() if key != "tests"}
        stream["source"] = {"sequence": {"values": ["swift"]}}
        del stream["inputs"]
        self.open_stream("none.json", stream)
        self.wait_for(".tests-view .empty", "This stream has no tests")
        self.click("New test from the marbles", ".empty")
        self.wait_for("dialog", "The test expects")
        self.click("Add test", "dialog")
        self.wait_for("dialog .error", "Enter a name")
        self.keys("one value\n")
        self.wait_for(".test.passed", "one value")
        self.click("New test from the marbles", ".toolbar")
        self.wait_for("dialog", "The test expects")
        self.keys("one value\n")
        self.wait_for("dialog .error", "There is a test of this name")


if __name__ == "__main__":
    unittest.main()
