import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectivityError } from '../../../codes/connectivity-error.js';
import type { TerraformEnd } from './terraform-process.js';

/**
 * Schema, sequence and table of a state are created `IF NOT EXISTS`, which PostgreSQL does not guard
 * against another session that creates them at the same moment.
 */
const COLLISION =
  /\bpq: (duplicate key value violates unique constraint "pg_|(schema|relation) "[^"]+" already exists|tuple concurrently updated)/;

const PAUSES_MS = [200, 500, 1000, 2000];

/** Names the remedy for a lock file that does not fit the providers that the stack now needs. */
const NEEDS_UPGRADE = /\binit -upgrade\b/;

const BACKEND_CHANGED =
  /Backend (configuration changed|initialization required, please run)|input is disabled|-migrate-state/;

interface Initialization {
  readonly name: string;
  readonly migrateState: boolean;
  /** True if the lock file was reviewed, and stays as it is. */
  readonly isReviewed: boolean;
  /** Runs Terraform, and answers what it wrote. */
  readonly run: (args: readonly string[]) => Promise<TerraformEnd>;
}

/**
 * Runs `terraform init`: again where another first deploy to the same new PostgreSQL got in the way, and
 * with `-upgrade` where the lock file no longer fits.
 *
 * @throws ConnectivityError `deploy.state`
 */
export async function initStack(stack: Initialization): Promise<TerraformEnd> {
  const migration = stack.migrateState ? ['-migrate-state', '-force-copy'] : [];
  const lock = stack.isReviewed ? ['-lockfile=readonly'] : [];
  const args = ['init', '-input=false', ...migration, ...lock];
  const end = await withoutCollision(() => stack.run(args));
  if (end.status === 0) return end;
  if (!stack.isReviewed && NEEDS_UPGRADE.test(end.errors)) {
    return withoutCollision(() => stack.run([...args, '-upgrade']));
  }
  if (!stack.migrateState && BACKEND_CHANGED.test(end.errors)) {
    throw new ConnectivityError(
      'deploy.state',
      `the state of ${stack.name} must be where the last deploy from this folder kept it, got: another backend; nothing was changed. To move the state there, run this again with --migrate-state`,
    );
  }
  return end;
}

async function withoutCollision(run: () => Promise<TerraformEnd>): Promise<TerraformEnd> {
  for (const pause of PAUSES_MS) {
    const end = await run();
    if (end.status === 0 || !COLLISION.test(end.errors)) return end;
    process.stderr.write(
      'secure-connectivity: another deploy created its state in the database at the same moment; initializing again\n',
    );
    await sleep(pause);
  }
  return run();
}
