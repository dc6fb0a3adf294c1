import { execFile, execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/cleanup.js';

const CONFIG = 'test/heavy/namespace/vitest.config.ts';

/** A network of its own, with loopback alone, and its own hosts file, DNS and name service configuration. */
const ENTER = `
set -e
ip link set lo up
touch "$FOLDER/hosts" "$FOLDER/resolv.conf" "$FOLDER/nsswitch.conf"
mount --bind "$FOLDER/hosts" /etc/hosts
mount --bind "$FOLDER/resolv.conf" /etc/resolv.conf
mount --bind "$FOLDER/nsswitch.conf" /etc/nsswitch.conf
exec node node_modules/vitest/vitest.mjs run --config ${CONFIG} --reporter=json --outputFile="$FOLDER/result.json"
`;

interface Case {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

interface Result {
  readonly testResults: readonly { readonly assertionResults: readonly Case[] }[];
}

const sshd = pathOfSshd();
const hasNamespace = works('ip link set lo up && mount --bind /tmp /tmp');
const hasFirewall = hasNamespace && works('nft list ruleset');

/** All cases, run once; those that need a firewall are skipped where there is none. */
let cases: Promise<readonly Case[]> | undefined;

async function runCases(): Promise<readonly Case[]> {
  const folder = await temporaryFolder();
  const file = join(folder, 'result.json');
  await writeFile(file, '{"testResults":[]}');
  const FIREWALL = hasFirewall ? 'nft' : '';
  const env = { ...process.env, FOLDER: folder, FIREWALL, SSHD: sshd, VITEST: undefined };
  await promisify(execFile)('unshare', ['--net', '--mount', 'sh', '-c', ENTER], { env }).catch(
    () => undefined,
  );
  const { testResults } = JSON.parse(await readFile(file, 'utf8')) as Result;
  return testResults.flatMap(({ assertionResults }) => assertionResults);
}

async function casesWith(...statuses: readonly string[]): Promise<readonly Case[]> {
  cases ??= runCases();
  return (await cases).filter(({ status }) => statuses.includes(status));
}

test.skipIf(!hasNamespace)(
  'what loopback cannot show passes in a network namespace (needs root, ip and mount)',
  { timeout: 180_000 },
  async () => {
    const failures = await casesWith('failed');
    expect(failures.map(({ title, failureMessages }) => [title, failureMessages])).toEqual([]);
    expect((await casesWith('passed')).length).toBeGreaterThan(6);
  },
);

test.skipIf(!hasFirewall)(
  'so does what a firewall does (needs nft too)',
  { timeout: 180_000 },
  async () => {
    const skipped = await casesWith('skipped', 'pending', 'todo');
    expect(skipped.map(({ title }) => title).filter((title) => !isOfSshd(title))).toEqual([]);
    expect((await casesWith('passed')).length).toBeGreaterThan(12);
  },
);

test.skipIf(!hasNamespace || sshd === '')(
  'so does a check behind a real sshd (needs sshd)',
  { timeout: 180_000 },
  async () => {
    const titles = (await casesWith('passed')).map(({ title }) => title);
    expect(titles.filter(isOfSshd)).toHaveLength(3);
  },
);

function isOfSshd(title: string): boolean {
  return title.includes('sshd');
}

/** The path of sshd, which it must be started by; empty where there is none. */
function pathOfSshd(): string {
  try {
    const PATH = `${process.env.PATH}:/usr/sbin`;
    return execFileSync('sh', ['-c', 'command -v sshd'], {
      env: { PATH },
      encoding: 'utf8',
    }).trim();
  } catch {
    return '';
  }
}

/** Tells whether a command works in a namespace of its own. */
function works(command: string): boolean {
  try {
    execFileSync('unshare', ['--net', '--mount', 'sh', '-c', command], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
