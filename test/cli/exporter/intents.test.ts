import { expect, test } from 'vitest';
import { encodeLinks, type Links } from '../../../src/link/link.js';
import { parsePrometheus } from '../../support/prometheus-text.js';
import { runHere } from '../../support/run-here.js';
import { createWorld, link, type World } from '../../support/verifiable-link.js';
import { worldFlags } from '../../support/world-flags.js';
import { startExporter, until } from './start-exporter.js';

const CLOSED = {
  name: 'nobody else',
  from: { not: ['10.30.0.0/16'] },
  to: 'service-endpoint',
  expect: 'closed',
};

/** A link and intents as a stack hands them over, and nothing that is dialled outside of loopback. */
function given(world: World) {
  const { accessDigest, ...own } = link();
  const links = encodeLinks({
    accessDigest,
    links: [own],
    intents: { intents: [CLOSED] },
  } as Links);
  const catchAll = ['--connect-to', `*:1-65535:127.0.0.1:${world.refusingPort}`];
  return {
    flags: ['--links-from-environment', ...worldFlags(world), ...catchAll],
    env: { SECURE_CONNECTIVITY_LINKS: links },
  };
}

test('an open door is a metric of the exporter, and a line on standard error', async () => {
  const world = await createWorld();
  const { flags, env } = given(world);
  const own = ['--own-address', '10.9.0.1', '--intents-every', '1h'];
  const exporter = await startExporter([...flags, ...own], env);
  await until(async () => (await exporter.own('intent_result')) !== undefined);
  const samples = parsePrometheus((await exporter.get('/metrics')).text).filter(({ metric }) =>
    /intent/.test(metric),
  );
  expect(samples).toMatchObject([
    {
      metric: 'secure_connectivity_intent_result',
      labels: { intent: 'nobody else', result: 'OPEN' },
    },
    { metric: 'secure_connectivity_exporter_intents_timestamp_seconds' },
    { metric: 'secure_connectivity_exporter_intents_interval_seconds', value: 3600 },
  ]);
  exporter.kill('SIGTERM');
  const { exit, stderr } = await exporter.ended;
  expect([exit, stderr]).toEqual([
    0,
    expect.stringMatching(
      /^exporter: "nobody else": OPEN: it connects and answers, from 10\.9\.0\.1/m,
    ),
  ]);
  // Doors are dialled without a credential.
  expect(world.asked.filter((path) => /token/.test(path))).toEqual([]);
});

test('intents that nobody asks for are not tried, which is said; and a wrong interval is refused', async () => {
  const world = await createWorld();
  const { flags, env } = given(world);
  const exporter = await startExporter(flags, env);
  expect(await exporter.own('intent_result')).toBeUndefined();
  exporter.kill('SIGTERM');
  expect((await exporter.ended).stderr).toContain(
    'exporter: 1 intent is not tried: no `--intents-every`\n',
  );
  expect(world.asked).toEqual([]);
  const often = await runHere(['exporter', ...flags, '--intents-every', '5s'], { env });
  expect([often.exit, often.stderr]).toEqual([
    2,
    expect.stringContaining('`--intents-every` must be at least 1m, got: 5s'),
  ]);
});
