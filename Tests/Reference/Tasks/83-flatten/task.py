from support import table

TITLE = "Flatten"
ABOUT = "Nested records become a table; the path is the name of the column."
COMMAND = "streamrun stream.json --format csv < records.ndjson"


def data(random):
    return {
        "records.ndjson": [
            {
                "id": index,
                "place": {
                    "city": random.choice(["Rome", 'Ulm "Süd"', "a,b"]),
                    "point": {"lat": random.randrange(-90, 90) + 0.5, "lon": random.randrange(-180, 180) + 0.25},
                },
            }
            for index in range(100)
        ]
    }


def expected(data):
    return table(
        [
            {
                "id": row["id"],
                "place.city": row["place"]["city"],
                "place.point.lat": row["place"]["point"]["lat"],
                "place.point.lon": row["place"]["point"]["lon"],
            }
            for row in data["records.ndjson"]
        ],
        end="\r\n",
    )
