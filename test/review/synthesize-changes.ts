import { mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// A program of its own: one start of cdktf for many changes of one environment, so that the stacks
// of all have the same names. Arguments: a folder with a settings folder for each change, the trees.
const [settings = '', trees = ''] = process.argv.slice(2);
const app = pathToFileURL(resolve('stacks/main.ts')).href;

mkdirSync(trees, { recursive: true });

for (const change of readdirSync(settings)) {
  process.env.CONNECTIVITY_SETTINGS = join(settings, change);
  process.env.CONNECTIVITY_ENV = 'live';
  process.env.CDKTF_OUTDIR = join(trees, change);
  await import(`${app}?${change}`);
}
