// Reads exported modules without running them, and says how many are modules of JavaScript.
import { spawnSync } from 'node:child_process';

let wrong = 0;
for (const file of process.argv.slice(2)) {
  const check = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' });
  if (check.status !== 0) {
    wrong += 1;
    console.log(check.stderr);
  }
}
console.log(`${process.argv.length - 2} modules over RxJS, ${wrong} of them no JavaScript`);
process.exit(wrong === 0 && process.argv.length > 2 ? 0 : 1);
