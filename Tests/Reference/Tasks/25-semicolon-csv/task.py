TITLE = "CSV with semicolons and decimal commas"
ABOUT = "A table as spreadsheets of continental Europe write it."
COMMAND = "streamrun stream.json --input rows.csv --csv-delimiter ';' --csv-decimal ','"


def data(random):
    rows = [
        (random.choice(["Stift", '"Papier; weiß"', '"27"" Schirm"']), random.randrange(1, 9999)) for _ in range(100)
    ]
    return {
        "rows.csv": "article;price\n" + "".join(f"{name};{cents // 100},{cents % 100:02d}\n" for name, cents in rows)
    }


def expected(data):
    import csv
    import io

    for row in csv.DictReader(io.StringIO(data["rows.csv"]), delimiter=";"):
        price = float(row["price"].replace(",", "."))
        yield {"article": row["article"], "price": price, "cents": round(price * 100)}
