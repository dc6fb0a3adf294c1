import { delimiter } from 'node:path';
import type { App } from 'cdktf';
import { inject } from 'vitest';

/** Synthesizes an app in this process; Terraform's version is known from the start of the tests. */
export function synthesizeApp(app: App): void {
  const { PATH } = process.env;
  process.env.PATH = `${inject('versionFolder')}${delimiter}${PATH}`;
  try {
    app.synth();
  } finally {
    process.env.PATH = PATH;
  }
}
