/**
 * Prints the lines and the limit of each room, and fails where one is above its limit. The commit that
 * makes a room smaller lowers its limit.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The most lines that rooms of `src` may have together, by their names. */
const SRC: Readonly<Record<string, number>> = {
  'access cloud net lists package progress cloud-control': 4152,
  'constructs settings': 5796,
  'link intents files terraform testing': 3697,
  codes: 2400,
  reach: 8367,
  live: 1386,
  review: 7027,
  report: 1265,
  picture: 895,
  rehearse: 5372,
  verify: 10887,
  service: 4037,
  sandbox: 9247,
  adopt: 1153,
  render: 722,
  cli: 10835,
};

/** The most lines of each folder beside and above them. */
const FOLDERS: Readonly<Record<string, number>> = {
  src: 77290,
  test: 77425,
  shipped: 1666,
  scripts: 2217,
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
