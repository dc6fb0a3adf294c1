import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { environments } from '../../scripts/synthesize.js';

// A program of its own: one start of cdktf for many settings. Arguments: settings folder, trees.
const [settings = '', trees = ''] = process.argv.slice(2);
const app = pathToFileURL(resolve('stacks/main.ts')).href;

for (const environment of environments(settings)) {
  process.env.CONNECTIVITY_SETTINGS = settings;
  process.env.CONNECTIVITY_ENV = environment;
  process.env.CDKTF_OUTDIR = join(trees, environment);
  await import(`${app}?${environment}`);
}
