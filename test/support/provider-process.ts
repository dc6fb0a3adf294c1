import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('provider-process-main.ts', import.meta.url));

export interface ProviderProcess {
  readonly pid: number;
  /** Attaches Terraform to its providers. */
  readonly env: NodeJS.ProcessEnv;
}

/** Serves the stand-in providers from a process of their own, which can be killed apart from the cloud. */
export async function startProviderProcess(
  env: Readonly<Record<string, string>>,
): Promise<ProviderProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM], {
    // It ends when this end of the pipe is gone.
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  child.stdin.on('error', () => undefined);
  const line = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => reject(new Error(`the providers ended with ${status}`)));
    createInterface(child.stdout).once('line', resolve);
  });
  return { pid: child.pid ?? 0, env: JSON.parse(line) as NodeJS.ProcessEnv };
}
