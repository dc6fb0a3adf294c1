import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTree } from '../src/reach/read/read-tree.js';
import { verifyReports } from '../test/golden/verify-reports.js';
import { goldenText } from './golden-text.js';
import { environments, synthesize } from './synthesize.js';

const GOLDEN = 'test/golden/stacks';

for (const [file, text] of Object.entries(verifyReports()))
  writeFileSync(join('test/golden/verify', file), text);
const folder = mkdtempSync(join(tmpdir(), 'connectivity-golden-'));
try {
  mkdirSync(GOLDEN, { recursive: true });
  for (const file of readdirSync(GOLDEN)) rmSync(join(GOLDEN, file));
  for (const environment of environments()) {
    const tree = join(folder, environment);
    await synthesize(environment, tree);
    for (const stack of readTree(tree, environment).values()) {
      writeFileSync(join(GOLDEN, `${stack.name}.txt`), goldenText(stack, tree));
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
