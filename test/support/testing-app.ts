import { join } from 'node:path';
import { type App, Testing } from 'cdktf';
import { inject } from 'vitest';

/** An app for tests; its output folder goes when all tests are done. */
export function testingApp(): App {
  return Testing.app({ outdir: join(inject('appFolder'), `${process.pid}`) });
}
