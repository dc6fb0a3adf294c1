import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { runOnSources } from '../../scripts/synthesize.js';

/**
 * Synthesizes the stacks of many settings with one start of cdktf, for an environment `live`, and
 * answers the folder in which each has its tree until the tests of the file have ended.
 */
export async function synthesizeAll(all: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'secure-connectivity-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, settings] of Object.entries(all)) {
    const place = join(folder, 'settings', name);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'live.json'), JSON.stringify(settings));
  }
  const trees = join(folder, 'trees');
  mkdirSync(trees);
  const args = [join(folder, 'settings'), trees, ...Object.keys(all)];
  await runOnSources('test/support/synthesize-all-main.ts', args);
  return trees;
}
