import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { jsonReport } from '../../../src/verify/reports/json.js';
import { ENDPOINT_HOST } from '../../support/application.js';
import { reachBastion } from '../../support/bastion.js';
import {
  ADDRESS,
  check,
  createWorld,
  link,
  outline,
  type World,
} from '../../support/verifiable-link.js';
import { SSHD, startFarHost } from './far-host.js';
import { likeNew } from './surroundings.js';

const timeoutMs = 20_000;

beforeEach(likeNew);

/** No rule leads to the endpoint: its address is dialled. */
function options(_: World) {
  return { connectTo: [], resolve: [`${ENDPOINT_HOST}:443:${ADDRESS}`], timeoutMs };
}

test('an endpoint that only another network has is seen from there, and from there alone', async () => {
  const world = await createWorld();
  const { enter } = await startFarHost(world);
  const direct = await check(world, options(world));
  expect(outline(direct)).toContain('tcp failed tcp.unreachable');
  const runVia = [{ name: 'inside', command: enter }];
  const verification = await check(world, { ...options(world), runVia });
  expect([verification.verdict, verification.links[0]?.connectTo]).toEqual(['reachable', []]);
});

test('with one vantage point outside and one inside, the report names the path from the one outside', async () => {
  const world = await createWorld();
  const { enter } = await startFarHost(world);
  const links = [link(), link({ name: 'second' })];
  const runVia = [
    { name: 'outside', command: [] },
    { name: 'inside', command: enter },
  ];
  const { patterns } = await check(world, { ...options(world), links, runVia });
  expect(patterns).toMatchObject([
    { kind: 'vantage-point', vantagePoints: ['outside'], links: ['api', 'second'] },
  ]);
});

test('an endpoint that only another network has is closed from outside of it, by both lines', async () => {
  const world = await createWorld();
  const { enter } = await startFarHost(world);
  // A machine without any address could prove nothing.
  const ip = (...words: string[]) => execFileSync('ip', words);
  ip('link', 'add', 'own', 'type', 'veth', 'peer', 'name', 'other');
  onTestFinished(() => void ip('link', 'delete', 'own'));
  ip('address', 'add', '10.99.0.1/32', 'dev', 'own');
  ip('link', 'set', 'own', 'up');
  ip('link', 'set', 'other', 'up');
  const runVia = [
    { name: 'outside', command: [], expect: 'closed' as const },
    { name: 'inside', command: enter },
  ];
  const { links, expectedClosed } = await check(world, { ...options(world), runVia });
  expect(links.map(({ name, verdict }) => [name, verdict])).toEqual([['api@inside', 'reachable']]);
  expect(expectedClosed).toMatchObject([
    { link: 'api', vantagePoint: 'outside', door: `${ADDRESS}:443`, result: 'closed' },
  ]);
  expect(expectedClosed?.[0]?.seen).toContain('tcp.unreachable');
  expect(expectedClosed?.[0]?.reached).toMatch(/^inside reached .*, and inside at /);
});

test.skipIf(SSHD === '')(
  'behind a real sshd the check passes, and the key stays here',
  async () => {
    const world = await createWorld();
    const { startSshd } = await startFarHost(world);
    const command = await startSshd();
    const direct = await check(world, options(world));
    expect(outline(direct)).toContain('tcp failed tcp.unreachable');
    const runVia = [{ name: 'bastion', command }];
    const verification = await check(world, { ...options(world), runVia });
    expect([verification.verdict, verification.links[0]?.vantagePoint]).toEqual([
      'reachable',
      'bastion',
    ]);
    const key = readFileSync(world.options.credentials?.privateKeyFile ?? '', 'utf8');
    for (const line of key.split('\n').slice(1, -2)) {
      expect(jsonReport(verification)).not.toContain(line);
    }
  },
);

test.skipIf(SSHD === '')(
  'a runner outside reaches a bastion behind a real sshd by the step of the page',
  async () => {
    const world = await createWorld();
    const command = await (await startFarHost(world)).startSshd();
    const word = (flag: string) => command[command.indexOf(flag) + 1] ?? '';
    const [, host = ''] = /@(.+)$/.exec(`${command.at(-1)}`) ?? [];
    const keyFile = word('-i');
    const { config, runVia } = reachBastion(world.folder, {
      BASTION: host,
      BASTION_HOST_KEY: readFileSync(keyFile.replace('client_key', 'host_key.pub'), 'utf8').trim(),
      BASTION_KEY: readFileSync(keyFile, 'utf8'),
    });
    const [ssh = '', ...words] = runVia;
    // The account and the port are those of this test.
    const via = [ssh, '-F', config, '-l', 'root', '-p', word('-p'), ...words];
    const verification = await check(world, {
      ...options(world),
      runVia: [{ name: 'bastion', command: via }],
    });
    expect(verification.verdict).toBe('reachable');
  },
);

test.skipIf(SSHD === '')(
  'a login that a real sshd refuses is reported with what ssh says',
  async () => {
    const world = await createWorld();
    const { startSshd } = await startFarHost(world);
    const command = (await startSshd()).map((word) => word.replace('root@', 'nobody@'));
    const runVia = [{ name: 'bastion', command }];
    const verification = await check(world, { ...options(world), runVia });
    expect(outline(verification)[0]).toBe('preflight failed run.vantage-point');
    expect(verification.links[0]?.stages[0]?.evidence).toMatchObject({
      exit: 255,
      stderr: expect.stringContaining('Permission denied'),
    });
  },
);
