"""W9, W10, W13 and W14 as queries of DuckDB over files: keyed_duckdb.py whole VARIANT FILE… writes lines of JSON.

DuckDB answers when it has read all records, where a stream publishes while it reads.
"""

import sys

import duckdb

EVENTS = "read_json('{0}', format = 'newline_delimited', columns = {{user: 'BIGINT', amount: 'BIGINT', t: 'BIGINT'}})"
PAYMENTS = "read_json('{1}', format = 'newline_delimited', columns = {{id: 'BIGINT', t: 'BIGINT'}})"
ORDERS = EVENTS.replace("user:", "id:")
TABLE = "read_csv('{0}', header = true, columns = {{user: 'BIGINT', amount: 'BIGINT', t: 'BIGINT'}})"

# The number of a record in its file breaks the ties between records of one time.
NUMBERED = f"(SELECT *, row_number() OVER () AS place FROM {EVENTS})"

QUERIES = {
    "running": f"""
        SELECT user, sum(amount) OVER (PARTITION BY user ORDER BY place)::BIGINT AS total FROM {NUMBERED}""",
    "totals": f"SELECT user, sum(amount)::BIGINT AS total FROM {EVENTS} GROUP BY user",
    "debounce": f"""
        SELECT user, amount, t FROM
          (SELECT *, lead(t) OVER (PARTITION BY user ORDER BY place) AS next FROM {NUMBERED})
        WHERE next IS NULL OR next - t > 1000""",
    "join": f"""
        SELECT o.id, o.amount, p.t - o.t AS wait FROM {ORDERS} o JOIN {PAYMENTS} p ON o.id = p.id
        WHERE p.t - o.t BETWEEN 0 AND 60000""",
    "pairs": f"SELECT o.id, o.amount, p.t - o.t AS wait FROM {ORDERS} o JOIN {PAYMENTS} p ON o.id = p.id",
    "ndjson": f"SELECT user, amount * 2 AS double FROM {EVENTS} WHERE amount >= 500",
    "csv": f"SELECT user, amount * 2 AS double FROM {TABLE} WHERE amount >= 500",
}

if __name__ == "__main__":
    query = QUERIES[sys.argv[2]].format(*sys.argv[3:])
    duckdb.sql(f"COPY ({query}) TO '/dev/stdout' (FORMAT json)")
