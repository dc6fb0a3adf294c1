// Takes each defence out of the code in turn, and answers 1 where its test stays green.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { DEFENCES, type Defence } from './defences.js';

/** Runs the test of a defence without it. The code is put back, whatever happens. */
function staysGreen({ test, file, defence, without }: Defence): boolean {
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(defence, () => without),
  );
  try {
    const project = test.startsWith('test/heavy/') ? 'heavy' : 'parts';
    const args = ['vitest', 'run', '--project', project, test];
    return spawnSync('npx', args, { stdio: 'ignore' }).status === 0;
  } finally {
    writeFileSync(file, text);
  }
}

const [only] = process.argv.slice(2);
for (const one of DEFENCES.filter(({ test }) => only === undefined || test === only)) {
  const isGreen = staysGreen(one);
  process.stdout.write(`${isGreen ? 'NOT NOTICED' : 'noticed'}: ${one.file}, by ${one.test}\n`);
  if (isGreen) process.exitCode = 1;
}
