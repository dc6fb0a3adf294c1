import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, Testing } from 'cdktf';
import { afterAll } from 'vitest';

// Left to itself, cdktf leaves a folder behind for each app.
const outdir = mkdtempSync(join(tmpdir(), 'cdktf-test-'));
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

/** An app for tests; its output folder goes when the tests of the file are done. */
export function testingApp(): App {
  return Testing.app({ outdir });
}
