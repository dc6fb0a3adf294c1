import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { safeText } from '../codes/redact.js';
import { type Ended, refuseLockedState, type TerraformFolder } from './terraform-folder.js';

/** @throws ConnectivityError `deploy.state-locked`, `terraform.failed` */
export async function runOrThrow(stack: TerraformFolder, args: readonly string[]): Promise<string> {
  return requireDone(stack, args[0], await stack.terraform(args));
}

function requireDone(stack: TerraformFolder, command = '', { status, stdout, stderr }: Ended) {
  if (status === 0) return stdout;
  refuseLockedState(stack, stderr);
  throw new ConnectivityError(
    'terraform.failed',
    `terraform ${command} of ${stack.name} ended with ${status}: ${errorsIn(stderr)}`,
  );
}

/** Terraform's errors without their frames and colours; its warnings, which come first, only where there is no error. */
function errorsIn(stderr: string): string {
  const plain = stripVTControlCharacters(stderr).replace(/^[│╷╵]\s?/gmu, '');
  const start = plain.search(/^Error: /m);
  return safeText(start < 0 ? plain : plain.slice(start));
}

/** Runs `terraform init` where it has not run. @throws ConnectivityError `deploy.state-locked`, `terraform.failed` */
export async function initialize(stack: TerraformFolder): Promise<void> {
  const data = resolve(stack.folder, process.env.TF_DATA_DIR || '.terraform');
  if (stack.isInitialized || existsSync(data)) return;
  requireDone(stack, 'init', await runInit(stack.terraform, ['-no-color']));
}

/**
 * Schema, sequence and table of a state are created `IF NOT EXISTS`, which PostgreSQL does not guard
 * against another session that creates them at the same moment.
 */
const COLLISION =
  /\bpq: (duplicate key value violates unique constraint "pg_|(schema|relation) "[^"]+" already exists|tuple concurrently updated)/;

const PAUSES_MS = [200, 500, 1000, 2000];

interface InitEnd {
  readonly status: number | null;
  readonly stderr: string;
}

/** Names the remedy for a lock file that does not fit the providers that the stack now needs. */
const NEEDS_UPGRADE = /\binit -upgrade\b/;

/**
 * Runs `terraform init`, again where another first deploy to the same new PostgreSQL got in the way.
 *
 * @param mayUpgrade whether it runs with `-upgrade` where the lock file no longer fits
 */
export async function runInit<End extends InitEnd>(
  run: (args: readonly string[]) => Promise<End>,
  words: readonly string[],
  mayUpgrade = false,
): Promise<End> {
  const args = ['init', '-input=false', ...words];
  const end = await withoutCollision(() => run(args));
  return end.status !== 0 && mayUpgrade && NEEDS_UPGRADE.test(end.stderr)
    ? withoutCollision(() => run([...args, '-upgrade']))
    : end;
}

async function withoutCollision<End extends InitEnd>(run: () => Promise<End>): Promise<End> {
  for (const pause of PAUSES_MS) {
    const end = await run();
    if (end.status === 0 || !COLLISION.test(end.stderr)) return end;
    process.stderr.write(
      'secure-connectivity: another deploy created its state in the database at the same moment; initializing again\n',
    );
    await sleep(pause);
  }
  return run();
}

/** @throws ConnectivityError `deploy.state-locked`, `terraform.failed` */
export async function importObject(stack: TerraformFolder, address: string, identifier: string) {
  const flags = ['-input=false', '-no-color', lock(stack)];
  await runOrThrow(stack, ['import', ...flags, address, identifier]);
}

/** Takes objects out of the state, and leaves the cloud as it is. @throws ConnectivityError `terraform.failed` */
export async function forgetObjects(stack: TerraformFolder, addresses: readonly string[]) {
  await runOrThrow(stack, ['state', 'rm', '-no-color', lock(stack), ...addresses]);
}

/** Writes a state in place of the stack's own. */
export function pushState(stack: TerraformFolder, file: string): Promise<Ended> {
  return stack.terraform(['state', 'push', lock(stack), file]);
}

/**
 * Reads the state of a stack; what holds nothing yet is an empty object.
 *
 * @throws ConnectivityError `deploy.state`
 */
export async function pullState({ name, terraform }: TerraformFolder): Promise<unknown> {
  const { status, stdout, stderr } = await terraform(['state', 'pull']);
  try {
    if (status === 0) return stdout.trim() === '' ? {} : JSON.parse(stdout);
  } catch {}
  throw new ConnectivityError(
    'deploy.state',
    `the state of ${name} cannot be read: ${errorsIn(stderr)}`,
  );
}

const lock = ({ lockTimeout }: TerraformFolder) => `-lock-timeout=${lockTimeout}`;
