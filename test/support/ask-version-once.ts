import { execFileSync } from 'node:child_process';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The answer of `terraform version`; empty where there is no Terraform. */
    readonly terraformVersion: string;
  }
}

/** cdktf asks Terraform for its version at every stack, which takes longer than to synthesize it. */
export default function setup({ provide }: TestProject): void {
  provide('terraformVersion', askVersion());
}

function askVersion(): string {
  try {
    return execFileSync('terraform', ['version'], { encoding: 'utf8', stdio: 'pipe' });
  } catch {
    return '';
  }
}
