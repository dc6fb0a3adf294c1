import { execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { TreeIntents } from '../../../src/intents/intents-file.js';
import { settleSilence } from '../../../src/verify/intents/settle-silence.js';
import { tryIntents } from '../../../src/verify/intents/try-intents.js';
import type { IntentResult, LinkResult } from '../../../src/verify/model/results.js';
import { prepareRun } from '../../../src/verify/run/prepare-run.js';
import { bracketed } from '../../../src/verify/transport/addresses.js';
import {
  CONTROL,
  CONTROL_6,
  DOOR,
  DOOR_6,
  type FarDoors,
  OWN,
  OWN_6,
  OWN_LATER,
  startFarDoors,
} from './far-doors.js';
import { withFirewall } from './surroundings.js';

/** Time for the second SYN. */
const DIAL_MS = 1_300;

const NOBODY_ELSE: TreeIntents['intents'][number] = {
  name: 'nobody else',
  from: { not: ['10.30.0.0/16', 'fd00:30::/32'] },
  to: 'service-endpoint',
  expect: 'closed',
};

function seen(address: string, status: 'passed' | 'failed'): LinkResult {
  const tcp = { stage: 'tcp', status, address, elapsedMs: 1, evidence: {} } as const;
  const own = { name: 'service-endpoint', via: 'service-endpoint', accessDigest: '' } as const;
  const nothing = { notes: [], connectTo: [], causes: [], ruledOut: [], attempts: 1, elapsedMs: 1 };
  const baseUrl = `https://${bracketed(address)}`;
  return { ...own, ...nothing, baseUrl, verdict: 'unreachable', stages: [tcp] };
}

interface Given {
  readonly door?: string;
  readonly controls?: readonly string[];
  readonly intents?: TreeIntents['intents'];
}

/** Tries intents at a door, which another vantage point has reached, by packets on a wire. */
async function tryAll({
  door = DOOR,
  controls = [`${CONTROL}:443`],
  intents = [NOBODY_ELSE],
}: Given) {
  const link = {
    ...({ name: 'service-endpoint', via: 'service-endpoint', apiHost: 'api.example.com' } as const),
    baseUrl: `https://${bracketed(door)}`,
    expectedAddresses: [`${door}/${door === DOOR ? 32 : 128}`],
    expectedNetworks: ['10.30.1.0/24', 'fd00:30:1::/64'],
  };
  const before = { links: [seen(door, 'failed')], backends: [] };
  const file = { controls: [...controls], intents };
  const tried = await tryIntents(await prepareRun({}), file, { links: [link] }, before, DIAL_MS);
  const links = [{ ...seen(door, 'passed'), vantagePoint: 'office' }];
  return settleSilence({ links, backends: [], intents: tried });
}

async function tryOne(given: Given = {}): Promise<Pick<IntentResult, 'result' | 'seen' | 'from'>> {
  const [first, ...others] = await tryAll(given);
  expect(others).toEqual([]);
  if (first === undefined) throw new Error('no result');
  return first;
}

/** Does something while the first dial waits. */
function meanwhile(does: () => void): void {
  sleep(DIAL_MS * 0.6).then(does);
}

const drop = (address: string) => `ip daddr ${address} drop`;

withFirewall(
  'dropped packets are closed, for two intents by three dials, and nobody else is dialled',
  async () => {
    const far = await startFarDoors();
    far.firewall(drop(DOOR));
    const intents = [NOBODY_ELSE, { ...NOBODY_ELSE, name: 'nor anybody else' }];
    const results = await tryAll({ intents });
    expect(results).toMatchObject([
      { result: 'closed', from: OWN },
      { result: 'closed', from: OWN },
    ]);
    const dialled = far.dialled();
    expect([...dialled.keys()].sort()).toEqual(
      [`10.30.1.238:443`, `${DOOR}:443`, `${CONTROL}:443`].sort(),
    );
    expect(dialled.get(`${DOOR}:443`)?.size).toBe(3);
    expect(dialled.get('10.30.1.238:443')?.size).toBe(1);
  },
);

withFirewall('a door that no rule closes is open, and dialled once', async () => {
  const far = await startFarDoors();
  expect(await tryOne()).toMatchObject({ result: 'OPEN', from: OWN });
  expect(far.dialled().get(`${DOOR}:443`)?.size).toBe(1);
});

const REJECTS: readonly (readonly [string, string])[] = [
  ['tcp reset', 'ECONNREFUSED'],
  ['icmp port-unreachable', 'ECONNREFUSED'],
  ['icmp host-unreachable', 'EHOSTUNREACH'],
  ['icmp net-unreachable', 'ENETUNREACH'],
  ['icmp admin-prohibited', 'EHOSTUNREACH'],
];
for (const [kind, error] of REJECTS) {
  const words = kind.startsWith('icmp') ? kind.replace('icmp', 'icmp type') : kind;
  withFirewall(`a reject with ${kind} shows nothing`, async () => {
    const far = await startFarDoors();
    far.firewall(`meta l4proto tcp ip daddr ${DOOR} reject with ${words}`);
    const { result, seen } = await tryOne();
    expect([result, seen]).toEqual(['not shown', expect.stringMatching(`^${error}: no listener`)]);
  });
}

withFirewall('IPv6 is tried by itself: a control of IPv4 shows nothing of it', async () => {
  const far = await startFarDoors();
  far.firewall(`ip6 daddr ${DOOR_6} drop`);
  const door = DOOR_6;
  expect(await tryOne({ door, controls: [`${CONTROL}:443`] })).toMatchObject({
    result: 'not shown',
    seen: expect.stringMatching(/^no control/),
  });
  expect(await tryOne({ door, controls: [`[${CONTROL_6}]:443`] })).toMatchObject({
    result: 'closed',
    from: OWN_6,
  });
  expect((await tryOne()).result).toBe('OPEN');
});

withFirewall('where everything connects, nothing is shown, open or closed', async () => {
  const far = await startFarDoors();
  const takesAll = `ip daddr 10.30.1.0/24 tcp dport 443 dnat ip to ${CONTROL}`;
  far.firewall('', takesAll);
  const shown = { result: 'not shown', seen: expect.stringMatching(/takes every connection$/) };
  expect(await tryOne()).toMatchObject(shown);
  far.firewall(drop(DOOR), takesAll.replace('daddr', `daddr != ${DOOR} ip daddr`));
  expect(await tryOne()).toMatchObject(shown);
});

async function changing(does: (far: FarDoors) => void): Promise<string> {
  const far = await startFarDoors();
  far.firewall(drop(DOOR));
  meanwhile(() => does(far));
  const { result, seen } = await tryOne();
  expect(result).toBe('not shown');
  return seen;
}

withFirewall('a control that is dropped meanwhile shows nothing', async () => {
  const seen = await changing((far) => far.firewall(`${drop(DOOR)}; ${drop(CONTROL)}`));
  expect(seen).toMatch(/^a control failed meanwhile \(silent\)/);
});

withFirewall('an address of this machine that changes meanwhile shows nothing', async () => {
  const seen = await changing(() => {
    execFileSync('ip', ['route', 'change', '10.30.0.0/16', 'via', '10.9.0.2', 'src', OWN_LATER]);
  });
  expect(seen).toBe(
    `the address from which this machine calls changed meanwhile: ${OWN}, ${OWN_LATER}`,
  );
});

withFirewall('a process that is stopped meanwhile shows nothing', async () => {
  const seen = await changing(() => {
    const stop = `kill -STOP ${process.pid}; sleep 4; kill -CONT ${process.pid}`;
    spawn('sh', ['-c', stop], { stdio: 'ignore' });
  });
  expect(seen).toMatch(/^this machine stood still meanwhile/);
});

withFirewall(
  "an own reject, an own address and a tunnel show nothing of the door's rules",
  async () => {
    const far = await startFarDoors();
    far.firewall(drop(DOOR));
    const here = createServer((socket) => socket.end('hello')).listen(443, OWN);
    onTestFinished(() => {
      here.close();
    });
    expect((await tryOne({ controls: [`${OWN}:443`] })).seen).toMatch(/^no control/);
    const rules = [
      'add table inet own',
      'add chain inet own out { type filter hook output priority 0; }',
      `add rule inet own out meta l4proto tcp ip daddr ${DOOR} reject with tcp reset`,
    ];
    execFileSync('nft', ['-f', '-'], { input: rules.join('\n') });
    expect((await tryOne()).seen).toMatch(/^ECONNREFUSED: no listener/);
    execFileSync('nft', ['delete', 'table', 'inet', 'own']);
    execFileSync('ip', ['link', 'add', 'wg0', 'type', 'veth', 'peer', 'name', 'wg1']);
    onTestFinished(() => {
      execFileSync('ip', ['link', 'del', 'wg0']);
    });
    execFileSync('ip', ['address', 'add', '10.8.0.1/24', 'dev', 'wg0']);
    for (const one of ['wg0', 'wg1']) execFileSync('ip', ['link', 'set', one, 'up']);
    execFileSync('ip', ['route', 'add', `${DOOR}/32`, 'dev', 'wg0']);
    expect((await tryOne()).seen).toBe('behind the tunnel wg0');
  },
);
