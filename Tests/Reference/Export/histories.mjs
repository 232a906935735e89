// Runs the tests of stream files on the modules that were exported of them, in virtual time:
// histories.mjs SCRIPTS FOLDER STREAMRUN > HEARD
// SCRIPTS is what `ExportCheck --scripts` has written; HEARD is what `ExportCheck --heard` compares.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { VirtualAction, VirtualTimeScheduler, concatMap, of, throwError, timer } from 'rxjs';

const [scripts, folder, streamrun] = process.argv.slice(2);
const millisecond = 1e6;

/** The value of an expression over `argument`. */
function evaluate(expression, argument) {
  const done = spawnSync(streamrun, ['eval', expression, '--set', `argument=${JSON.stringify(argument)}`], {
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`the answer of the test cannot be computed: ${done.stderr}`);
  return JSON.parse(done.stdout);
}

/** The host's function that answers as the test says. */
function answering(answers, scheduler) {
  return argument => {
    const answer = answers.find(answer => !('argument' in answer) || isDeepStrictEqual(answer.argument, argument));
    if (!answer) return throwError(() => 'no answer');
    return timer(answer.after / millisecond, scheduler).pipe(
      concatMap(() => {
        if ('failure' in answer) return throwError(() => answer.failure);
        return of('value' in answer ? answer.value : evaluate(answer.expression, argument));
      }),
    );
  };
}

/** What names are called in the code, where they are called otherwise. */
function namesIn(code) {
  const inputs = new Map();
  for (const [, name, called] of code.matchAll(/\/\*\* The input `(.+)`\. \*\/\n *(\w+): /g)) inputs.set(name, called);
  const functions = new Map();
  for (const [, called, name] of code.matchAll(/^ \* `(\w+)` is the host's `(.+)`\.$/gm)) functions.set(called, name);
  return { inputs, functions };
}

/** What is heard of a stream while the test feeds it. */
function run(module, names, test) {
  const scheduler = new VirtualTimeScheduler(VirtualAction, test.until / millisecond);
  const inputs = module.makeInputs?.() ?? {};
  for (const [name, events] of Object.entries(test.inputs)) {
    const subject = inputs[names.inputs.get(name) ?? name];
    if (!subject) throw new Error(`there is no subject of the input '${name}' in what was exported`);
    for (const event of events) {
      scheduler.schedule(() => {
        if ('value' in event) subject.next(event.value);
        else if ('failure' in event) subject.error(event.failure);
        else subject.complete();
      }, event.at / millisecond);
    }
  }
  const host = {};
  for (const [called, name] of names.functions) host[called] = answering(test.calls[name] ?? [], scheduler);
  const [stream] = Object.entries(module).filter(([name]) => name !== 'makeInputs').map(([, value]) => value);
  const events = [];
  const now = () => Math.round(scheduler.now() * millisecond);
  const subscription = stream({ ...inputs, ...host, scheduler }).subscribe({
    next: value => events.push({ at: now(), value: value === undefined ? null : value }),
    error: error =>
      events.push(error instanceof Error ? { at: now(), error: String(error) } : { at: now(), failure: error }),
    complete: () => events.push({ at: now(), finished: true }),
  });
  scheduler.flush();
  subscription.unsubscribe();
  return events;
}

const heard = [];
for (const { file, tests } of JSON.parse(readFileSync(scripts, 'utf8'))) {
  const module = path.resolve(folder, `${file.replaceAll('/', '-').slice(0, -5)}.mjs`);
  if (!existsSync(module)) continue;
  const exported = await import(module);
  const names = namesIn(readFileSync(module, 'utf8'));
  tests.forEach((test, number) => heard.push({ file, test: number, events: run(exported, names, test) }));
}
console.log(JSON.stringify(heard));
