// W9 and W11 with RxJS on node; the environment variable RXJS names the module's folder.
// keyed_rxjs.cjs whole VARIANT FILE    writes the answer as lines of JSON
// keyed_rxjs.cjs memory VARIANT FILE R  measures R rounds over values in memory and prints the figures as JSON
'use strict';
const fs = require('node:fs');
const rx = require(process.env.RXJS);

const keyed = (operators) => rx.pipe(rx.groupBy((record) => record.user), rx.mergeMap(operators));
const add = (total, record) => total + record.amount;
const one = (record) => rx.of(record.amount + 1);

/** For each variant, the operators, and the number of a published value that is summed up for the check. */
const variants = {
  running: [keyed((group) => group.pipe(rx.scan(add, 0), rx.map((total) => ({ user: group.key, total })))), (v) => v.total],
  totals: [keyed((group) => group.pipe(rx.reduce(add, 0), rx.map((total) => ({ user: group.key, total })))), (v) => v.total],
  flatMap: [rx.mergeMap(one), (v) => v],
  switchMap: [rx.switchMap(one), (v) => v],
  concatMap: [rx.concatMap(one), (v) => v],
  window: [
    rx.pipe(rx.map((record) => record.amount), rx.windowCount(10), rx.mergeMap((w) => w.pipe(rx.reduce((a, b) => a + b, 0)))),
    (v) => v,
  ],
};

/** Calls `receive` with each record of a file of NDJSON, which is read in chunks. */
function forEachRecord(path, receive) {
  const file = fs.openSync(path, 'r');
  const chunk = Buffer.alloc(1 << 18);
  let rest = '';
  for (let size; (size = fs.readSync(file, chunk)) > 0; ) {
    const lines = (rest + chunk.latin1Slice(0, size)).split('\n');
    rest = lines.pop();
    for (const line of lines) receive(JSON.parse(line));
  }
  if (rest) receive(JSON.parse(rest));
  fs.closeSync(file);
}

/** Writes the answer to standard output, in chunks. */
function writeWhole(operators, path) {
  let text = '';
  const flush = () => {
    // A pipe may take less than it is given.
    for (let bytes = Buffer.from(text, 'latin1'); bytes.length > 0; ) bytes = bytes.subarray(fs.writeSync(1, bytes));
    text = '';
  };
  const source = new rx.Subject();
  source.pipe(operators).subscribe((value) => {
    text += JSON.stringify(value) + '\n';
    if (text.length > 1 << 16) flush();
  });
  forEachRecord(path, (record) => source.next(record));
  source.complete();
  flush();
}

/** Prints the processor nanoseconds of each round, and the count and sum of the published numbers. */
function measureMemory([operators, number], path, rounds) {
  const records = [];
  forEachRecord(path, (record) => records.push(record));
  const nanoseconds = [];
  let count;
  let sum;
  for (let round = 0; round < rounds; round += 1) {
    count = sum = 0;
    const start = process.cpuUsage();
    rx.from(records).pipe(operators).subscribe((value) => {
      count += 1;
      sum += number(value);
    });
    const { user, system } = process.cpuUsage(start);
    nanoseconds.push((user + system) * 1000);
  }
  console.log(JSON.stringify({ nanoseconds, count, sum }));
}

const [mode, variant, path, rounds] = process.argv.slice(2);
if (mode === 'whole') writeWhole(variants[variant][0], path);
else measureMemory(variants[variant], path, Number(rounds));
