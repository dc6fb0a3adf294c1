import { describe, expect, test } from 'vitest';
import { reasonOf } from '../../../src/codes/codes.js';
import { encodeLinks } from '../../../src/link/link.js';
import { FAULTS } from '../../../src/sandbox/faults/index.js';
import type { Sandbox } from '../../../src/sandbox/sandbox.js';
import { SERVICE_ADDRESSES } from '../../../src/sandbox/surroundings.js';
import { runHere } from '../../support/run-here.js';
import { buildNetwork, GROUP, rule, sandboxForTest } from '../support.js';

const LINKS = encodeLinks({
  rulesDigest: '0'.repeat(64),
  links: [
    {
      name: 'fixed-ip-egress',
      via: 'fixed-ip-egress',
      baseUrl: 'https://static-api.sandbox.example',
      apiHost: 'api.sandbox.example',
      expectedAddresses: SERVICE_ADDRESSES.map((address) => `${address}/32`),
      expectedNetworks: [],
    },
  ],
});

interface Report {
  readonly links: readonly {
    readonly stages: readonly { stage: string; status: string; code?: string; address?: string }[];
  }[];
}

/** The real check of the fixed-IP link, from where the sandbox's workload is. */
async function check({ env }: Sandbox, timeout = '10s') {
  const args = ['verify', '--links-from-environment', '--format', 'json', '--timeout', timeout];
  const own = { ...env, SECURE_CONNECTIVITY_LINKS: LINKS };
  const { exit: status, stdout } = await runHere(args, { env: own });
  const report = JSON.parse(stdout) as Report;
  return { status, stages: report.links.flatMap((link) => link.stages) };
}

describe('the check of the fixed-IP link', () => {
  test('passes for every address where the internet is open', async () => {
    const { status, stages } = await check(await sandboxForTest(), '30s');
    expect(stages.filter((each) => each.status === 'failed')).toEqual([]);
    expect(status).toBe(0);
    const dialled = stages.flatMap(({ stage, address }) =>
      stage === 'tcp' ? (address ?? []) : [],
    );
    expect(dialled.sort()).toEqual([...SERVICE_ADDRESSES].sort());
  });

  test('fails for exactly the addresses that the deployed rules leave out', async () => {
    const sandbox = await sandboxForTest();
    const { vpc } = buildNetwork(sandbox.cloud);
    const open = SERVICE_ADDRESSES.slice(2).map((address) => rule({ CidrIp: `${address}/32` }));
    sandbox.cloud.create(GROUP, { VpcId: vpc, EgressPermissions: open });
    const { status, stages } = await check(sandbox);
    const failed = stages.filter((each) => each.stage === 'tcp' && each.status === 'failed');
    expect(failed.map(({ address }) => address).sort()).toEqual(
      SERVICE_ADDRESSES.slice(0, 2).sort(),
    );
    expect(new Set(failed.map(({ code }) => code))).toEqual(new Set(['tcp.timeout']));
    expect(status).not.toBe(0);
  });

  test.each(
    FAULTS.filter((fault) => 'only' in fault && fault.only === 'fixed-ip-egress'),
  )('names $code when $about', async ({ name, code, never, strikes }) => {
    const { status, stages } = await check(await sandboxForTest({ faults: [name] }));
    const found = stages.map(reasonOf);
    expect(found).toContain(code);
    expect(found.filter((seen) => never.some((wrong) => wrong === seen))).toEqual([]);
    expect(stages.find((each) => reasonOf(each) === code)).toMatchObject({ stage: strikes });
    expect(status).not.toBe(0);
  });
});
