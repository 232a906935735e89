/// The rules of an alarm, with their tests: a file of the app.
public enum AlarmRules {
  public static let text = """
    {
      "inputs": { "celsius": { "type": "double" } },
      "source": { "input": { "name": "celsius" } },
      "operators": [
        { "map": { "expression": "value > 30.0" } },
        { "removeDuplicates": {} },
        { "debounce": { "seconds": 5 } }
      ],
      "tests": [
        {
          "name": "a short peak is no alarm",
          "inputs": { "celsius": { "events": [
            { "at": 0, "value": 20 }, { "at": 10, "value": 40 }, { "at": 12, "value": 20 } ] } },
          "expect": { "events": [ { "at": 5, "value": false }, { "at": 17, "value": false } ] }
        },
        {
          "name": "a long one is",
          "inputs": { "celsius": { "events": [ { "at": 0, "value": 40 } ] } },
          "expect": { "events": [ { "at": 5, "value": true } ] }
        }
      ]
    }
    """
}
