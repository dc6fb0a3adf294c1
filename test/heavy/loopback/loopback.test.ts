import { execFile, execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { FAULTS } from '../../../src/sandbox/faults/index.js';
import { temporaryFolder } from '../../support/cleanup.js';

const CONFIG = 'test/heavy/loopback/vitest.config.ts';

/** A network of its own in which every address has a way out, that leads nowhere and is counted. */
const ENTER = `
set -e
ip link set lo up
ip link add out type veth peer name nowhere
ip addr add 192.0.2.1/24 dev out
ip link set out up
ip route add default dev out
nft add table inet watch
nft add counter inet watch out
nft 'add chain inet watch output { type filter hook output priority 0; }'
nft 'add rule inet watch output oifname != "lo" meta l4proto { tcp, udp } counter name out'
`;

const RUN = `${ENTER}
exec node node_modules/vitest/vitest.mjs run --config ${CONFIG} --reporter=json --outputFile="$FOLDER/result.json"
`;

interface Result {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

test.skipIf(!canEnter())(
  'no fault makes a check send a packet beyond loopback (needs root, ip and nft)',
  async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'result.json');
    await writeFile(file, '{"testResults":[]}');
    const env = { ...process.env, FOLDER: folder, VITEST: undefined };
    await promisify(execFile)('unshare', ['--net', 'sh', '-c', RUN], { env }).catch(
      () => undefined,
    );
    const { testResults } = JSON.parse(await readFile(file, 'utf8')) as Result;
    const cases = testResults.flatMap(({ assertionResults }) => assertionResults);
    const failures = cases.filter(({ status }) => status !== 'passed');
    expect(failures.map(({ title, failureMessages }) => [title, failureMessages])).toEqual([]);
    const ofLinks = FAULTS.filter(
      (fault) => !('only' in fault) || fault.only === 'fixed-ip-egress',
    );
    expect(cases.length).toBeGreaterThan(ofLinks.length);
  },
  180_000,
);

function canEnter(): boolean {
  try {
    execFileSync('unshare', ['--net', 'sh', '-c', ENTER], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
