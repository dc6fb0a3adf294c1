import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { DemoView } from './demo-view.js';

const STACK = 'api-access-sandbox';

const folder = mkdtempSync(join(tmpdir(), 'connectivity-demo-'));
const settings = join(folder, 'settings');
cpSync('stacks/settings', settings, { recursive: true });

process.once('SIGINT', () => cleanUp(130));

try {
  say(
    '1. Deploy private-network access to the API. The last thing that the deploy does is to prove it.',
  );
  expectStatus(await run('deploy', STACK, '--auto-approve'), 0);

  say(
    '2. Break one thing: a change of settings lets only 10.20.9.0/24 use the endpoint, and this machine stands elsewhere.',
  );
  allowOnly('10.20.9.0/24');
  const broken = await run('deploy', STACK, '--auto-approve');
  if (broken.status !== 12 || !broken.output.includes('tcp.timeout')) {
    throw new Error('the broken deploy did not end with 12, the status of tcp.timeout');
  }
  say('The deploy failed, and names the cause. The next deploy would check again.', 'green');

  say('3. Clean up.');
  expectStatus(await run('destroy', STACK, '--auto-approve'), 0);
  say('Done: deployed, proved, broken, diagnosed, destroyed. Nothing is left running.', 'green');
} catch (error) {
  say(`The demo failed: ${(error as Error).message}`, 'red');
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Run {
  readonly status: number;
  readonly output: string;
}

/** Runs the program on the sandbox, with the real cdktf below; the sandbox's cloud lives on in the folder between runs. */
function run(...args: string[]): Promise<Run> {
  const program = 'dist/cli/main.js';
  console.log(
    styleText('dim', `$ secure-connectivity sandbox -- secure-connectivity ${args.join(' ')}`),
  );
  const sandbox = [program, 'sandbox', '--state', join(folder, 'sandbox'), '--'];
  const command = [process.execPath, program, ...args, '--output', join(folder, 'cdktf.out')];
  const child = spawn(process.execPath, [...sandbox, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      CONNECTIVITY_SETTINGS: settings,
      // The broken deploy waits this long for an answer that never comes.
      SECURE_CONNECTIVITY_TIMEOUT: '6s',
      CI: 'true',
    },
  });
  let output = '';
  let phase = 'the sandbox to start and the stack to be synthesized';
  const view = new DemoView((line) => {
    console.log(line);
    phase = 'Terraform';
  });
  // What cdktf prints before the plan is left out, and takes some seconds.
  const started = Date.now();
  const waiting = setInterval(() => {
    if (phase === 'Terraform') return;
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(styleText('dim', `  … waiting for ${phase} (${seconds} s)`));
  }, 2_000);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (phase !== 'Terraform') phase = phaseOf(output);
      view.write(chunk);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      clearInterval(waiting);
      resolve({ status: status ?? 1, output });
    });
  });
}

/** What comes before the first line that the demo shows. */
function phaseOf(output: string): string {
  if (/Initializing/.test(output)) return 'Terraform to plan';
  return 'the stack to be synthesized and Terraform to be initialized';
}

function allowOnly(network: string): void {
  const file = join(settings, 'sandbox.json');
  const all = JSON.parse(readFileSync(file, 'utf8')) as { serviceEndpoint: object };
  all.serviceEndpoint = { ...all.serviceEndpoint, allowedNetworks: [network] };
  writeFileSync(file, JSON.stringify(all, null, 2));
}

function expectStatus({ status, output }: Run, expected: number): void {
  if (status === expected) return;
  console.error(output);
  throw new Error(`expected status ${expected}, got: ${status}`);
}

function say(text: string, colour: 'cyan' | 'green' | 'red' = 'cyan'): void {
  console.log(`\n${styleText([colour, 'bold'], text)}\n`);
}

function cleanUp(status: number): never {
  rmSync(folder, { recursive: true, force: true });
  process.exit(status);
}
