TITLE = "Daily at nine"
ABOUT = "A value each day at nine in Berlin, whatever the clocks of other places say."
COMMAND = "streamrun stream.json --virtual --for 259200"


def data(random):
    return {}


def expected(data):
    return [f"1970-01-0{day} 09:00" for day in (1, 2, 3)]
