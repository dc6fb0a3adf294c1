import { setTimeout as sleep } from 'node:timers/promises';

interface TerraformEnd {
  readonly status: number;
  readonly errors: string;
}

/**
 * Schema, sequence and table of a state are created `IF NOT EXISTS`, which PostgreSQL does not guard
 * against another session that creates them at the same moment.
 */
const COLLISION =
  /\bpq: (duplicate key value violates unique constraint "pg_|(schema|relation) "[^"]+" already exists|tuple concurrently updated)/;

const PAUSES_MS = [200, 500, 1000, 2000];

/** Runs `terraform init`, again where another first deploy to the same new PostgreSQL got in the way. */
export async function initialize<End extends TerraformEnd>(
  init: () => Promise<End>,
  print: (text: string) => void,
): Promise<End> {
  for (const pause of PAUSES_MS) {
    const end = await init();
    if (end.status === 0 || !COLLISION.test(end.errors)) return end;
    print(
      'another deploy created its state in the database at the same moment; initializing again',
    );
    await sleep(pause);
  }
  return init();
}
