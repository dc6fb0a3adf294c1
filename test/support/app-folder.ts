import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder in which apps of tests put what they synthesize. */
    readonly appFolder: string;
  }
}

/** Left to itself, cdktf leaves a folder behind for each app; this one goes with the run. */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'cdktf-test-'));
  provide('appFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
