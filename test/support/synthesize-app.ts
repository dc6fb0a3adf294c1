import childProcess from 'node:child_process';
import type { App } from 'cdktf';
import { inject, vi } from 'vitest';

/** Synthesizes an app in this process; Terraform's version is known from the start of the tests. */
export function synthesizeApp(app: App): void {
  const asked = vi.spyOn(childProcess, 'execSync').mockReturnValue(inject('terraformVersion'));
  try {
    app.synth();
  } finally {
    asked.mockRestore();
  }
}
