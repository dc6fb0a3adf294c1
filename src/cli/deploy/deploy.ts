import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { usageError } from '../../codes/connectivity-error.js';
import { terraformName } from '../../terraform/program.js';
import { parseArguments } from '../program/arguments.js';
import { runCommand } from '../program/run-command.js';
import { onSignal, signalStatus } from '../program/signals.js';
import { sayWhileWaiting } from '../program/waiting.js';
import { fileVariables } from '../verify/flags/table.js';
import {
  type AdoptMode,
  DEPLOY_VARIABLE,
  type DeployContext,
  type Run,
  readRuns,
} from './run-log.js';

/** `destroy` has no `--adopt`. */
type Flags = Pick<DeployContext, 'lockTimeout' | 'stateOf'> & { readonly adopt?: AdoptMode };

const MORE_HELP = `
STACK is the name of a stack or a pattern, such as '*'. All other options are passed to cdktf:
  secure-connectivity deploy '*' --auto-approve --outputs-file outputs.json

Exit status: 0 deployed; that of the check (10 to 21) if the check failed; 2 or 22 if a stack was refused
before the plan, and 2 also if the preflight failed or the check could not run; 128 plus the signal number
if Terraform was killed or the command was interrupted; otherwise that of Terraform or cdktf.`;

/** `cdktf deploy` and `cdktf destroy` with an exit status that can be relied on. */
export const deploy = (args: readonly string[]): Promise<number> => change('deploy', args);
export const destroy = (args: readonly string[]): Promise<number> => change('destroy', args);

type Verb = 'deploy' | 'destroy';

/**
 * Runs `cdktf deploy` or `cdktf destroy` and answers how the changes really ended: with the status of
 * the check that failed, of Terraform, or of cdktf, and never with 0 where Terraform was killed.
 */
async function change(verb: Verb, args: readonly string[]): Promise<number> {
  const parser = commandLine(verb);
  const flags = parseArguments<Flags>(parser, args);
  if (!/^\d+(\.\d+)?(ms|s|m|h)$/.test(flags.lockTimeout)) {
    throw usageError(
      `\`--lock-timeout\` must be a duration such as 10s or 5m, got: "${flags.lockTimeout}"`,
    );
  }
  const folder = mkdtempSync(join(tmpdir(), 'secure-connectivity-'));
  const log = join(folder, 'runs.jsonl');
  writeFileSync(log, '');
  const named = terraformName(process.env);
  // Terraform runs in the stack's folder.
  const terraform = named.includes('/') ? resolve(named) : named;
  const context: DeployContext = { adopt: 'off', ...flags, log, project: process.cwd(), terraform };
  // cdktf would take options after `--` for stacks.
  const handedDown = parser.args.filter((arg) => arg !== '--');
  const interrupt = watchSignals(log);
  const waiting = sayUntilTerraformRuns(log);
  try {
    const status = await runCommand([findCdktf(), verb, ...handedDown], {
      ...process.env,
      // The check runs in the stack's folder, where a relative path would mean another file.
      ...fileVariables(process.env),
      [DEPLOY_VARIABLE]: JSON.stringify(context),
      TERRAFORM_BINARY_NAME: fileURLToPath(new URL('terraform.js', import.meta.url)),
    });
    interrupt.isCdktfGone = true;
    await untilEnded(log);
    return reportRuns(readRuns(log), status, interrupt.signal);
  } finally {
    waiting?.end();
    interrupt.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function commandLine(verb: Verb): Command {
  const does = verb === 'deploy' ? 'Deploys' : 'Destroys';
  const command = new Command(`secure-connectivity ${verb}`)
    .description(`${does} stacks with cdktf, with a reliable exit status.`)
    .usage('[STACK...] [options] [cdktf options]')
    .argument('[arguments...]')
    .option('--lock-timeout <time>', "how long to wait for another deploy's lock", '1m')
    .option('--state-of <stack>', 'the former name of a renamed stack, whose state it takes over')
    .allowUnknownOption()
    .helpOption('-h, --help', 'show this help')
    .addHelpText('after', verb === 'deploy' ? MORE_HELP : '');
  if (verb === 'destroy') return command;
  return command.addOption(
    new Option(
      '--adopt <mode>',
      'objects that an interrupted deploy left in the cloud: stop and list them, import them into the state, or skip the search',
    )
      .choices(['stop', 'auto', 'off'] satisfies AdoptMode[])
      .default('stop')
      .env('SECURE_CONNECTIVITY_ADOPT'),
  );
}

/** Without a terminal cdktf prints nothing while it synthesizes the stacks. */
function sayUntilTerraformRuns(log: string) {
  if (process.stdout.isTTY) return undefined;
  return sayWhileWaiting(() =>
    readRuns(log).length > 0
      ? undefined
      : 'secure-connectivity: waiting for cdktf to synthesize the stacks',
  );
}

/** The project's own cdktf, or that of its community continuation; else the one on the PATH. */
function findCdktf(): string {
  const names = ['cdktf', 'cdktn'];
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const found = names.map((name) => join(folder, 'node_modules', '.bin', name)).find(existsSync);
    if (found !== undefined) return found;
    if (dirname(folder) === folder) break;
  }
  const paths = (process.env.PATH ?? '').split(delimiter);
  return names.find((name) => paths.some((path) => existsSync(resolve(path, name)))) ?? 'cdktf';
}

/** Notices the first signal. Once cdktf is gone, another one makes Terraform end without its state. */
function watchSignals(log: string) {
  const watch = { signal: undefined as NodeJS.Signals | undefined, isCdktfGone: false };
  const stop = onSignal((signal) => {
    watch.signal ??= signal;
    if (!watch.isCdktfGone) return;
    for (const { terraform } of readRuns(log).filter(isAlive)) {
      if (terraform !== undefined) process.kill(terraform, 'SIGINT');
    }
  });
  return Object.assign(watch, { stop });
}

/** cdktf does not wait for a Terraform that it has asked to stop. */
async function untilEnded(log: string): Promise<void> {
  if (!readRuns(log).some(isAlive)) return;
  process.stderr.write(
    'secure-connectivity: waiting for Terraform to save its state; Ctrl-C ends it without saving\n',
  );
  while (readRuns(log).some(isAlive)) await sleep(200);
}

function isAlive({ status, run, terraform }: Run): boolean {
  if (status !== undefined) return false;
  return [run, ...(terraform === undefined ? [] : [terraform])].some((pid) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  });
}

const KILLED = signalStatus('SIGKILL');
const SIGNALLED = 128;

function reportRuns(runs: readonly Run[], cdktf: number, signal: NodeJS.Signals | undefined) {
  for (const { status, folder, command, messages } of runs) {
    const end = status === undefined ? [`terraform ${command} was killed in ${folder}`] : [];
    for (const text of [...messages, ...end]) {
      process.stderr.write(`secure-connectivity: ${text}\n`);
    }
  }
  if (signal !== undefined) return signalStatus(signal);
  if (runs.some(({ status }) => status === undefined)) return KILLED;
  const failed = runs.find(
    ({ command, status }) => (command === 'apply' || command === 'destroy') && status !== 0,
  );
  const isCdktfKilled = cdktf > SIGNALLED;
  if (failed === undefined || isCdktfKilled) return cdktf;
  return failed.checked ?? failed.status ?? KILLED;
}
