import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters, styleText } from 'node:util';
import { DemoView } from './demo-view.js';

const API = 'api-access-sandbox';
const PLUGINS = 'plugin-access-sandbox';

const folder = mkdtempSync(join(tmpdir(), 'connectivity-demo-'));
const settings = join(folder, 'settings');
cpSync('stacks/settings', settings, { recursive: true });

process.once('SIGINT', () => cleanUp(130));

try {
  say(
    '1. Deploy the five connection options. The last thing that a deploy of the ways to the API does is to prove them.',
  );
  const deployed = await run('deploy', API, PLUGINS, '--auto-approve');
  expectStatus(deployed, 0);

  say(
    "2. Connect the private plugin: the service's administrator asks in its console, and the next deploy accepts.",
  );
  const service = find(/private-plugin-service-id = "(epsvc-\w+)"/, deployed);
  const asked = await run('sandbox', 'connect-plugin', service);
  expectStatus(asked, 0);
  change('privatePlugin', { acceptedEndpointIds: [find(/^(ep-\w+)$/m, asked)] });
  expectStatus(await run('deploy', PLUGINS, '--auto-approve'), 0);
  expectGreeting(await run('sandbox', 'call-plugin', service, '--user-id', 'alice'));
  say('The call arrived over the private connection. One from a fixed address of the service:');
  const overInternet = ['--from', '198.51.100.11', '--port', '8443', '--user-id', 'bob'];
  expectGreeting(await run('sandbox', 'call-plugin', ...overInternet));

  say(
    '3. Lock this machine out: a change of settings lets only 10.20.9.0/24 use the endpoint, and it is not in there.',
  );
  change('serviceEndpoint', { allowedNetworks: ['10.20.9.0/24'] });
  const lockedOut = await run('deploy', API, '--auto-approve');
  expectCode(lockedOut, 2, 'preflight.outside');
  say('Found before any network resource was changed. The setting goes back.', 'green');
  change('serviceEndpoint', { allowedNetworks: ['10.20.0.0/16'] });

  say('4. Break the network itself: the security group of the endpoint lets nobody in.');
  const broken = await runWith('security-group-closed', 'deploy', API, '--auto-approve');
  expectCode(broken, 12, 'tcp.timeout');
  say('The deploy failed, and names the cause. The next deploy would check again.', 'green');

  say('5. Clean up.');
  expectStatus(await run('destroy', API, PLUGINS, '--auto-approve'), 0);
  say(
    'Done: deployed, proved, called, broken, diagnosed, destroyed. Nothing is left running.',
    'green',
  );
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
  return runWith(undefined, ...args);
}

/** The same in a sandbox with a fault. */
function runWith(fault: string | undefined, ...args: string[]): Promise<Run> {
  const program = 'dist/cli/main.js';
  const faults = fault === undefined ? [] : ['--fault', fault];
  const shown = ['sandbox', ...faults, '--', 'secure-connectivity', ...args];
  console.log(styleText('dim', `$ secure-connectivity ${shown.join(' ')}`));
  const sandbox = [program, 'sandbox', '--state', join(folder, 'sandbox'), ...faults, '--'];
  const isDeploy = args[0] !== 'sandbox';
  const output = isDeploy ? ['--output', join(folder, 'cdktf.out')] : [];
  const command = [process.execPath, program, ...args, ...output];
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
  let text = '';
  let phase = `the sandbox to start${isDeploy ? ' and the stacks to be synthesized' : ''}`;
  const show = (line: string) => {
    console.log(line);
    phase = 'Terraform';
  };
  const view = new DemoView(show, { isWhole: !isDeploy });
  // What cdktf prints before the plan is left out, and takes some seconds.
  const started = Date.now();
  const waiting = setInterval(() => {
    if (phase === 'Terraform') return;
    const seconds = Math.round((Date.now() - started) / 1000);
    console.log(styleText('dim', `  … waiting for ${phase} (${seconds} s)`));
  }, 2_000);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (phase !== 'Terraform') phase = phaseOf(text);
      view.write(chunk);
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      clearInterval(waiting);
      resolve({ status: status ?? 1, output: text });
    });
  });
}

/** What comes before the first line that the demo shows. */
function phaseOf(output: string): string {
  if (/Initializing/.test(output)) return 'Terraform to plan';
  return 'the stacks to be synthesized and Terraform to be initialized';
}

/** Changes some settings of an option. */
function change(option: 'serviceEndpoint' | 'privatePlugin', changes: object): void {
  const file = join(settings, 'sandbox.json');
  const all = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>;
  writeFileSync(
    file,
    JSON.stringify({ ...all, [option]: { ...all[option], ...changes } }, null, 2),
  );
}

function find(pattern: RegExp, { output }: Run): string {
  const found = pattern.exec(stripVTControlCharacters(output))?.[1];
  if (found !== undefined) return found;
  throw new Error(`${pattern} is not in:\n${output}`);
}

function expectGreeting(call: Run): void {
  expectStatus(call, 0);
  find(/"user_id":"(\w+)"/, call);
}

function expectStatus({ status, output }: Run, expected: number): void {
  if (status === expected) return;
  console.error(output);
  throw new Error(`expected status ${expected}, got: ${status}`);
}

function expectCode({ status, output }: Run, expected: number, code: string): void {
  if (status === expected && output.includes(code)) return;
  console.error(output);
  throw new Error(`expected status ${expected} with ${code}, got: ${status}`);
}

function say(text: string, colour: 'cyan' | 'green' | 'red' = 'cyan'): void {
  console.log(`\n${styleText([colour, 'bold'], text)}\n`);
}

function cleanUp(status: number): never {
  rmSync(folder, { recursive: true, force: true });
  process.exit(status);
}
