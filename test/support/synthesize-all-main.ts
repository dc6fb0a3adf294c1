import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// A program of its own: one start of cdktf for many settings of one environment, so that the stacks
// of all have the same names. Arguments: a folder with a settings folder for each, the trees, names.
const [settings = '', trees = '', ...names] = process.argv.slice(2);
const app = pathToFileURL(resolve('stacks/main.ts')).href;

for (const name of names) {
  process.env.CONNECTIVITY_SETTINGS = join(settings, name);
  process.env.CONNECTIVITY_ENV = 'live';
  process.env.CDKTF_OUTDIR = join(trees, name);
  await import(`${app}?${name}`);
}
