import { execFileSync } from 'node:child_process';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { readCommandLine, runOptions } from '../../src/cli/verify/command-line.js';
import { addFlags, FLAGS, type FlagName, fileVariables } from '../../src/cli/verify/flags/table.js';
import { repeatCommand } from '../../src/cli/verify/verify-links.js';
import type { VerifiableLink } from '../../src/verify/model/options.js';

/** A value for each flag, as it is typed; undefined where the flag has none. */
const SAMPLES: Readonly<Record<FlagName, readonly string[] | undefined>> = {
  outputsFile: ['outputs.json'],
  stack: ['net-test'],
  linksFromEnvironment: undefined,
  targets: ['targets.jsonl'],
  concurrency: ['3'],
  shard: ['1/2'],
  baseUrl: ['https://vpce.example:8443'],
  via: ['private-zone'],
  apiHost: ['api.example.com'],
  expectAddress: ['10.1.2.3/32', '10.1.2.4/32', '10.1.0.0/16'],
  tlsServerName: ['tls.example'],
  allowPlainHttp: undefined,
  enterpriseId: ['ent 1'],
  appId: ["app'1"],
  keyId: ['kid-1'],
  privateKeyFile: ['/keys/a.pem'],
  auth: undefined,
  dnsServer: ['[::1]:5353'],
  connectTo: ['*:1-65535:127.0.0.1:1', '@/rules'],
  resolve: ['vpce.example:8443:10.1.2.3'],
  family: ['6'],
  proxy: ['http://proxy.example:3128'],
  caFile: ['/ca.pem'],
  compareResolver: ['10.0.0.53', 'system'],
  ownAddress: ['10.1.2.3', '@/own'],
  probes: undefined,
  runVia: ['office=ssh bastion', 'guests:closed=ssh guest-1', "pod=kubectl exec -i 'my pod' --"],
  timeout: ['1m'],
  wait: ['2.5s'],
  settle: ['2'],
  strict: undefined,
  reportOnly: undefined,
  title: ['check of net-test'],
  verbose: undefined,
  format: ['text', 'json=/report.json'],
};

/** They say which links are checked, and where its result goes. */
const NOT_OF_ONE_LINK: readonly FlagName[] = [
  ...(['outputsFile', 'stack', 'linksFromEnvironment', 'targets', 'concurrency', 'shard'] as const),
  ...(['strict', 'reportOnly', 'title', 'format'] as const),
];

const LINK: VerifiableLink = {
  name: 'link',
  via: 'service-endpoint',
  baseUrl: 'https://vpce.example:8443',
  apiHost: 'api.example.com',
  expectedAddresses: ['10.1.2.3/32', '10.1.2.4/32'],
  expectedNetworks: ['10.1.0.0/16'],
  privateZone: true,
};

function typed(name: FlagName): string[] {
  const [long = ''] = FLAGS[name].flag.split(' ');
  return SAMPLES[name]?.flatMap((value) => [long, value]) ?? [long];
}

function parse(args: readonly string[]) {
  const command = addFlags(new Command(), Object.values(FLAGS)).exitOverride();
  return readCommandLine(command.parse(args, { from: 'user' }));
}

/** As a shell takes a command apart. */
function shellWords(command: string): string[] {
  const words = command.replace('npx secure-connectivity verify ', '');
  return execFileSync('sh', ['-c', `printf '%s\\0' ${words}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);
}

const names = Object.keys(FLAGS) as FlagName[];

test.each(names)('the row %s is named as the flag', (name) => {
  expect(Object.keys(parse(typed(name)).flags)).toContain(name);
});

describe('the command that repeats a check', () => {
  test.each(names.filter((name) => !NOT_OF_ONE_LINK.includes(name)))('gives %s again', (name) => {
    const { flags, typed: own } = parse(typed(name));
    const link = name === 'allowPlainHttp' ? { ...LINK, baseUrl: 'http://vpce.example' } : LINK;
    expect(parse(shellWords(repeatCommand(link, flags, own) ?? '')).flags[name]).toEqual(
      flags[name],
    );
  });

  test.each(NOT_OF_ONE_LINK)('leaves %s out', (name) => {
    const { flags, typed: own } = parse(typed(name));
    expect(repeatCommand(LINK, flags, own)).toBe(repeatCommand(LINK, {}, { auth: true }));
  });
});

test('each option of the library gets what its flag says, and errors call it by the flag', () => {
  const args = names.filter((name) => name !== 'auth').flatMap(typed);
  const { flags, names: calledBy } = parse(args);
  const options = runOptions(flags, calledBy);
  expect(options).toMatchObject({
    credentials: { enterpriseId: 'ent 1', keyId: 'kid-1' },
    dnsServer: '[::1]:5353',
    ownAddresses: ['10.1.2.3', '@/own'],
    compareResolvers: ['10.0.0.53', 'system'],
    probes: false,
    timeoutMs: 60_000,
    waitMs: 2_500,
  });
  expect(calledBy).toMatchObject({
    timeoutMs: '--timeout',
    ownAddresses: '--own-address',
    privateKey: '--private-key-file',
  });
});

test('variables that name files mean the same in any folder, and no others are touched', () => {
  const here = process.cwd();
  const given = {
    SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: 'keys/private_key.pem',
    SECURE_CONNECTIVITY_CA_FILE: '/etc/ca.pem',
    SECURE_CONNECTIVITY_TARGETS: '',
    SECURE_CONNECTIVITY_CONNECT_TO: '@rules',
    SECURE_CONNECTIVITY_OWN_ADDRESS: '10.1.2.3',
    SECURE_CONNECTIVITY_TITLE: 'keys/private_key.pem',
    CA_FILE: 'ca.pem',
  };
  expect(fileVariables(given)).toEqual({
    SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: `${here}/keys/private_key.pem`,
    SECURE_CONNECTIVITY_CA_FILE: '/etc/ca.pem',
    SECURE_CONNECTIVITY_CONNECT_TO: `@${here}/rules`,
    SECURE_CONNECTIVITY_OWN_ADDRESS: '10.1.2.3',
  });
  const fromStandardInput = { SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: '-' };
  expect(fileVariables(fromStandardInput)).toEqual(fromStandardInput);
});
