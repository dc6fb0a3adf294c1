import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of a `terraform` that says which version the true one is, and does nothing else. */
    readonly versionFolder: string;
  }
}

/** cdktf asks Terraform for its version at every stack, which takes longer than to synthesize it. */
export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'terraform-version-'));
  const version = /v\d+\.\d+\.\d+/.exec(askVersion())?.[0];
  if (version !== undefined) {
    const script = `#!/bin/sh\necho 'Terraform ${version}'\n`;
    writeFileSync(join(folder, 'terraform'), script, { mode: 0o755 });
  }
  provide('versionFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Empty where there is no Terraform: cdktf then finds none either. */
function askVersion(): string {
  try {
    return execFileSync('terraform', ['version'], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return '';
  }
}
