"""The table of operators: name → a function (scope, fields, make) that gives a closure, which subscribes."""

OPERATORS = {}


def operator(*names):
    """Adds a stage to the table: its `fields` are the fields of the file, its `upstream` the stream before it."""
    def add(stage):
        for name in names:
            OPERATORS[name] = lambda scope, fields, make, stage=stage, name=name: (
                lambda: prepare(stage, name, scope, fields, make))
        return stage
    return add


def prepare(stage, name, scope, fields, make):
    made = stage(scope.run)
    made.name, made.scope, made.fields, made.upstream, made.skips = name, scope, fields, make, scope.operator_skips
    made.set_up()
    return made
