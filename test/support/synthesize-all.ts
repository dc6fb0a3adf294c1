import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import {
  type LoadedSettings,
  parseSettings,
  withIntents,
} from '../../src/settings/load-settings.js';
import { environmentApp } from '../../stacks/environment.js';
import { synthesizeApp } from './synthesize-app.js';

/** Synthesizes the stacks of an environment, as the project's own app does. */
export function synthesizeInto(folder: string, loaded: LoadedSettings): void {
  const { context } = JSON.parse(readFileSync('cdktf.json', 'utf8'));
  synthesizeApp(environmentApp(loaded, { outdir: folder, context }));
}

/**
 * Synthesizes the stacks of many settings for an environment `live`, so that those of all have the same
 * names, and answers the folder in which each has its tree until the tests of the file have ended.
 */
export function synthesizeAll(all: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'secure-connectivity-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const made = new Map<string, string>();
  for (const [name, settings] of Object.entries(all)) {
    const [text, tree] = [JSON.stringify(settings), join(folder, name)];
    const same = made.get(text);
    if (same === undefined)
      synthesizeInto(tree, withIntents('live', parseSettings(text, 'live.json')));
    else cpSync(same, tree, { recursive: true });
    made.set(text, tree);
  }
  return folder;
}
