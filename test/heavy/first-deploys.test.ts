import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addressList } from '../changes/settings.js';
import { until } from '../support/deploying.js';
import { StackRun } from '../support/stack-run.js';
import { HAS_POSTGRES, type Postgres, startPostgres } from './support/postgres.js';

const STACK = 'api-access-sandbox';

describe.skipIf(!HAS_POSTGRES)('the first deploy to a new PostgreSQL', () => {
  let run: StackRun;
  let server: Postgres;
  beforeEach(async () => {
    [run, server] = await Promise.all([StackRun.start(), startPostgres()]);
    run.change('sandbox', (settings) => {
      Object.assign(settings, { check: { mode: 'off' }, state: server.state });
    });
  });
  afterEach(async () => {
    await server.stop();
    await run.stop();
  });

  const deploy = (stack: string, output: string) =>
    run.cli(['deploy', stack, '--auto-approve', '--output', join(run.folder, output)], {
      ...server.env,
      CONNECTIVITY_STATE_FOLDER: '',
    });

  /** The number of sessions that wait for another one's transaction. */
  const waiting = () =>
    Number(server.query("select count(*) from pg_stat_activity where wait_event_type = 'Lock'"));

  test.each([
    ['sequence', 'CREATE SEQUENCE public.global_states_id_seq AS bigint'],
    ['schema', `CREATE SCHEMA "${STACK}"`],
  ])('arrives where another one creates the %s at the same moment', async (_, statement) => {
    const other = await server.begin(statement);
    const deploying = deploy(STACK, 'one');
    await until(() => waiting() > 0).finally(() => other.commit());
    const { status, output } = await deploying;
    expect(status, output).toBe(0);
    expect(output).toContain('another deploy created its state in the database at the same moment');
    expect(output).toContain('0 changed, 0 destroyed');
  });

  test('arrives beside the first deploy of another stack', async () => {
    run.change('sandbox', (settings) => {
      settings.fixedIpIngress = {
        name: 'callers',
        backend: 'tickets',
        addresses: addressList('198.51.100.11'),
        prefixList: {},
        ports: [8443],
      };
    });
    const runs = await Promise.all([deploy(STACK, 'one'), deploy('plugin-access-sandbox', 'two')]);
    for (const { status, output } of runs) expect(status, output).toBe(0);
    expect(server.query('select count(*) from "plugin-access-sandbox".states')).toBe('1');
    expect(server.query(`select count(*) from "${STACK}".states`)).toBe('1');
  });
});
