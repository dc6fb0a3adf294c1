import { describe, expect, test } from 'vitest';
import type { TreeIntents } from '../../../src/intents/intents-file.js';
import type { Plugin } from '../../../src/link/link.js';
import { judgeIntents } from '../../../src/reach/intents/judge-intents.js';
import { judgedStack } from '../../../src/reach/intents/scope.js';
import { asTerraform } from '../../../src/reach/read/cloud-state.js';
import { readTerraform } from '../../../src/reach/read/terraform-json.js';
import type { JsonObject } from '../../../src/sandbox/json.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { settleSilence } from '../../../src/verify/intents/settle-silence.js';
import { exitOf } from '../../../src/verify/model/verdict.js';
import { verifyHere } from '../../../src/verify/run/verify-here.js';
import { sandboxOptions } from '../../support/sandbox-options.js';
import { buildBalancer, GROUP, rule, SERVERS, sandboxForTest } from '../support.js';

const SERVER = '10.20.1.10:8080';

const LINK = { CidrIp: '100.64.0.0/10', PortStart: 8080, PortEnd: 8080 };

const FILE: TreeIntents = {
  intents: [
    {
      name: 'only the service calls orders',
      from: { not: ['100.64.0.0/10'] },
      to: 'orders',
      port: 8080,
      expect: 'closed',
    },
  ],
};

/** A sandbox with a load balancer whose only server has a group with these rules. */
async function guarded(rules: JsonObject[], client?: string): Promise<Sandbox> {
  const sandbox = await sandboxForTest(client === undefined ? {} : { clientAddress: () => client });
  const { group, vpc } = buildBalancer(sandbox.cloud);
  sandbox.cloud.startDelete(GROUP, group, '');
  sandbox.cloud.create(GROUP, { VpcId: vpc, IngressPermissions: rules });
  return sandbox;
}

/** The results of a check for the server and the intent. */
async function check(sandbox: Sandbox) {
  const plugin: Plugin = {
    name: 'orders',
    serviceId: 'epsvc-1',
    networks: ['10.20.1.0/24'],
    servers: [SERVER],
    healthCheck: { protocol: 'TCP', timeoutSeconds: 1 },
  };
  const options = { links: [], plugins: [plugin], intents: FILE, waitMs: 0 };
  const found = await verifyHere({ ...options, ...sandboxOptions(sandbox) }, { dialMs: 200 });
  const { links, backends = [], intents = [] } = found;
  const settled = settleSilence({ links, backends, intents });
  return {
    server: backends[0]?.status,
    intent: settled[0],
    exit: exitOf({ ...found, intents: settled }),
  };
}

/** The result that is computed from everything that the cloud has stored. */
function judge({ cloud }: Sandbox) {
  const terraform = readTerraform({ resource: asTerraform(cloud.state) });
  const [group = ''] = Object.keys(asTerraform(cloud.state).volcenginecc_vpc_security_group ?? {});
  const to = `volcenginecc_vpc_security_group.${group}`;
  const intents = FILE.intents.map((intent) => ({ ...intent, to }));
  const [answer] = judgeIntents({ ...FILE, intents }, [
    judgedStack({ name: 'cloud', file: 'cloud', terraform }),
  ]);
  return answer?.verdict;
}

describe('a dial of a server behind a load balancer', () => {
  test.each([
    ['from the load balancer', [rule(LINK)], '100.64.0.9', 'passed'],
    ['from the network', [rule(LINK)], undefined, 'skipped'],
    [
      'by a rule for another port',
      [rule({ ...LINK, PortStart: 80, PortEnd: 80 })],
      '100.64.0.9',
      'skipped',
    ],
    ['by no rule', [], '100.64.0.9', 'skipped'],
    [
      'from whoever a rule lets in',
      [rule({ ...LINK, CidrIp: '10.20.0.0/16' })],
      undefined,
      'passed',
    ],
  ] as const)('is decided by the groups: %s', async (_, rules, client, status) => {
    expect((await check(await guarded([...rules], client))).server).toBe(status);
  });

  test('goes through where no group guards servers', async () => {
    const sandbox = await sandboxForTest();
    const { group } = buildBalancer(sandbox.cloud);
    sandbox.cloud.startDelete(GROUP, group, '');
    expect(sandbox.resources().some(({ typeName }) => typeName === SERVERS)).toBe(true);
    expect((await check(sandbox)).server).toBe('passed');
  });
});

test('rules that are stored and not enforced are found by the dials of a check alone', async () => {
  const sandbox = await guarded([rule(LINK)]);
  const enforced = await check(sandbox);
  expect([judge(sandbox), enforced.intent, enforced.exit]).toMatchObject([
    'holds',
    { result: 'not shown', from: '10.20.1.252' },
    0,
  ]);
  sandbox.faults.set('rules-not-enforced');
  const open = await check(sandbox);
  expect([judge(sandbox), open.intent, open.exit]).toMatchObject([
    'holds',
    { result: 'OPEN', code: 'intent.open', from: '10.20.1.252', door: SERVER },
    23,
  ]);
});
