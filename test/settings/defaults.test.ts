import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as defaults from '../../src/settings/defaults.js';

test('the documents of the constructs state the defaults that they share with settings', () => {
  const files = readdirSync('src/constructs', { encoding: 'utf8', recursive: true });
  const sources = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join('src/constructs', file), 'utf8'));
  const found = sources.join('\n').matchAll(/@default ([^- ]\S*) \*\/\s*readonly (\w+)\?:/g);
  const documented = [...found].map(([, value = '', prop = '']) => [
    prop,
    JSON.parse(value.replaceAll("'", '"')),
  ]);
  expect(Object.fromEntries(documented)).toMatchObject({
    waitSeconds: defaults.WAIT_SECONDS,
    headroom: defaults.HEADROOM,
    priority: defaults.PRIORITY,
    weight: defaults.SERVER_WEIGHT,
    spec: defaults.LOAD_BALANCER_SPEC,
    ports: defaults.API_PORTS,
  });
});

test('the page on settings states how long a check keeps retrying', () => {
  const rows = readFileSync('docs/settings.md', 'utf8').match(/^\| `check\.wait` \|.*$/gm);
  expect(rows).toEqual([expect.stringContaining(`default: ${defaults.WAIT_SECONDS / 60}m |`)]);
});
