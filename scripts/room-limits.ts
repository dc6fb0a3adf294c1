/**
 * Prints the lines and the limit of each room, and fails where one is above its limit. The commit that
 * makes a room smaller lowers its limit.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The most lines that rooms of `src` may have together, by their names. */
const SRC: Readonly<Record<string, number>> = {
  'access cloud net lists package progress cloud-control': 4167,
  'constructs settings': 5801,
  'link intents files terraform testing': 3733,
  codes: 2420,
  reach: 8448,
  live: 1413,
  review: 6933,
  report: 1253,
  picture: 896,
  rehearse: 5406,
  verify: 10863,
  service: 4038,
  sandbox: 9256,
  adopt: 1163,
  render: 724,
  cli: 11014,
};

/** The most lines of each folder beside and above them. */
const FOLDERS: Readonly<Record<string, number>> = {
  src: 77580,
  test: 77288,
  shipped: 1666,
  scripts: 2215,
  stacks: 494,
};

/** Sources, and what is shipped; not recorded texts. */
const COUNTED = /\.(ts|js|mjs|sh|yml|rego)$/;

const rooms = Object.entries(SRC).map(([names, limit]) => ({
  names,
  limit,
  lines: sum(names.split(' ').map((name) => countLines(join('src', name)))),
}));
const folders = Object.entries(FOLDERS).map(([names, limit]) => ({
  names,
  limit,
  lines: countLines(names),
}));
const listed = new Set(Object.keys(SRC).flatMap((names) => names.split(' ')));
const unlisted = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !listed.has(entry.name))
  .map(({ name }) => name);

for (const { names, lines, limit } of [...rooms, ...folders]) {
  const above = lines > limit ? `  ${lines - limit} too many` : '';
  console.log(`${String(lines).padStart(6)} of ${String(limit).padStart(6)}  ${names}${above}`);
}
for (const name of unlisted) console.log(`no limit  ${name}`);
const isAbove = [...rooms, ...folders].some(({ lines, limit }) => lines > limit);
process.exitCode = isAbove || unlisted.length > 0 ? 1 : 0;

function countLines(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return sum(
    files
      .filter((entry) => entry.isFile() && COUNTED.test(entry.name))
      .map(
        ({ parentPath, name }) =>
          readFileSync(join(parentPath, name), 'utf8').split('\n').length - 1,
      ),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
