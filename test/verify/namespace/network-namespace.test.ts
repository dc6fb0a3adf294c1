import { execFile, execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/cleanup.js';

const CONFIG = 'test/verify/namespace/vitest.config.ts';

/** A network of its own, with loopback alone, and its own hosts file and DNS configuration. */
const ENTER = `
set -e
ip link set lo up
touch "$FOLDER/hosts" "$FOLDER/resolv.conf"
mount --bind "$FOLDER/hosts" /etc/hosts
mount --bind "$FOLDER/resolv.conf" /etc/resolv.conf
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
  'what loopback cannot show passes in a network namespace (needs root, ip and nft)',
  async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'result.json');
    await writeFile(file, '{"testResults":[]}');
    const env = { ...process.env, FOLDER: folder, VITEST: undefined };
    await promisify(execFile)('unshare', ['--net', '--mount', 'sh', '-c', ENTER], { env }).catch(
      () => undefined,
    );
    const { testResults } = JSON.parse(await readFile(file, 'utf8')) as Result;
    const cases = testResults.flatMap(({ assertionResults }) => assertionResults);
    const failures = cases.filter(({ status }) => status !== 'passed');
    expect(failures.map(({ title, failureMessages }) => [title, failureMessages])).toEqual([]);
    expect(cases.length).toBeGreaterThan(6);
  },
);

function canEnter(): boolean {
  const probe = 'ip link set lo up && nft list ruleset';
  try {
    execFileSync('unshare', ['--net', '--mount', 'sh', '-c', probe], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
