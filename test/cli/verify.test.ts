import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeLinks } from '../../src/link/link.js';
import { folderDigest } from '../../src/review/stacks/digest.js';
import { verificationSchema } from '../../src/verify/model/verification.js';
import { API_HOST, APPLICATION, ENDPOINT_HOST, PKCS8 } from '../support/application.js';
import { temporaryFolder } from '../support/cleanup.js';
import { type CliOptions, runCli } from '../support/run-cli.js';
import { runHere } from '../support/run-here.js';
import { TOKEN, tokenError } from '../support/service-server.js';
import { unwrapped } from '../support/unwrapped.js';
import { createWorld, link, type World } from '../support/verifiable-link.js';

const BY_HAND = [
  ...['--base-url', `https://${ENDPOINT_HOST}`],
  ...['--via', 'service-endpoint'],
  ...['--api-host', API_HOST],
  ...['--expect-address', '10.1.2.3'],
];

/** Variables that the sandbox or the deployer sets. */
function environment({ options }: World): Record<string, string> {
  return {
    SECURE_CONNECTIVITY_ENTERPRISE_ID: APPLICATION.enterpriseId,
    SECURE_CONNECTIVITY_APP_ID: APPLICATION.appId,
    SECURE_CONNECTIVITY_KEY_ID: APPLICATION.keyId,
    SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: options.credentials?.privateKeyFile ?? '',
    SECURE_CONNECTIVITY_DNS_SERVER: options.dnsServer ?? '',
    SECURE_CONNECTIVITY_CA_FILE: options.caFile ?? '',
    SECURE_CONNECTIVITY_CONNECT_TO: options.connectTo?.[0] ?? '',
  };
}

function verify(world: World, args: readonly string[], options: CliOptions = {}) {
  const { env, ...rest } = options;
  const all = { ...rest, env: { ...environment(world), ...env } };
  const needsProcess = Object.keys(rest).some((option) => option !== 'cwd');
  return needsProcess ? runCli(['verify', ...args], all) : runHere(['verify', ...args], all);
}

const LINKS = encodeLinks({ rulesDigest: 'digest-1', links: [stackLink('api')] });

function stackLink(name: string) {
  const { accessDigest: _, ...rest } = link({ name });
  return rest;
}

test('a sound link by hand: a report for people and exit 0', async () => {
  const world = await createWorld();
  const { exit, stdout, stderr } = await verify(world, [...BY_HAND, '--verbose']);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect(stdout).toMatch(/passed +dns .* 10\.1\.2\.3 {2}by 127/);
  expect(stdout).toMatch(/^Connect-to\n.*\n +10\.1\.2\.3:443 +127\.0\.0\.1:\d+$/m);
  expect(stdout).toMatch(/passed +workspaces .*2 workspaces {2}w1 First; w2/);
  expect(stdout).toMatch(/--key-id +fingerprint-1\s+\(SECURE_CONNECTIVITY_KEY_ID\)/);
  expect(stdout).toMatch(/^reachable in [\d.]+ m?s\n/);
  expect(stdout).not.toContain('\u001b');
});

test('the links of the environment, as JSON', async () => {
  const world = await createWorld();
  const env = { SECURE_CONNECTIVITY_LINKS: LINKS };
  const { exit, stdout } = await verify(world, ['--links-from-environment', '--format', 'json'], {
    env,
  });
  const report = verificationSchema.parse(JSON.parse(stdout));
  expect([exit, report.verdict, report.accessDigest]).toEqual([0, 'reachable', '']);
});

test('the outputs of several stacks, to standard output and to a file', async () => {
  const world = await createWorld();
  const file = join(world.folder, 'outputs.json');
  const other = encodeLinks({ rulesDigest: 'digest-2', links: [stackLink('two')] });
  const outputs = {
    one: { connectivity: LINKS, x: 1 },
    two: { check: { connectivity: other } },
    three: {},
    pending: { connections: encodeLinks({ rulesDigest: 'digest-3', links: [] }) },
  };
  await writeFile(file, JSON.stringify(outputs));
  const json = join(world.folder, 'report.json');
  const { exit, stdout, stderr } = await verify(world, [
    '--outputs-file',
    file,
    '--format',
    `json=${json}`,
  ]);
  const report = verificationSchema.parse(JSON.parse(await readFile(json, 'utf8')));
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^api {2}service-endpoint/m);
  expect(stderr).toContain('(pending) has no link and no connection to check yet');
  expect(report.links.map(({ name }) => name)).toEqual(['api', 'two']);
});

describe('the access digest of links from outputs', () => {
  const opened = {
    resource: { volcenginecc_vpc_security_group: { own: { ingress_permissions: [] } } },
  };

  async function digestBeside(tree: object | undefined) {
    const world = await createWorld();
    await writeFile(
      join(world.folder, 'outputs.json'),
      JSON.stringify({ 'net-test': { connectivity: LINKS } }),
    );
    const stack = join(world.folder, 'cdktf.out', 'stacks', 'net-test');
    await mkdir(stack, { recursive: true });
    if (tree) await writeFile(join(stack, 'cdk.tf.json'), JSON.stringify(tree));
    const args = [
      '--outputs-file',
      'outputs.json',
      '--format',
      'json',
      '--format',
      'markdown=m.md',
    ];
    const { stdout, stderr } = await verify(world, args, { cwd: world.folder });
    const report = verificationSchema.parse(JSON.parse(stdout));
    const page = await readFile(join(world.folder, 'm.md'), 'utf8');
    return { report, stderr, page, stack };
  }

  test('is computed where the tree that was deployed is at hand', async () => {
    const tree = { ...opened, output: { 'rules-digest': { value: 'digest-1' } } };
    const { report, stderr, page, stack } = await digestBeside(tree);
    const digest = folderDigest(stack);
    expect([report.accessDigest, report.links[0]?.accessDigest]).toEqual([digest, digest]);
    expect(stderr).toContain(`access digest ${digest}, of what Terraform opens`);
    expect(page).toMatch(new RegExp(`access digest: \`?${digest}\`?\n`));
  });

  test.each<[what: string, tree: object | undefined, output: RegExp]>([
    ['no tree is at hand', undefined, /^$/],
    [
      'the tree is another',
      { ...opened, output: { 'rules-digest': { value: 'digest-2' } } },
      /no access digest, because .* contains a different stack from the one that was deployed: .* rules with the digest digest-1/,
    ],
  ])('is not told where %s', async (_, tree, output) => {
    const { report, stderr, page } = await digestBeside(tree);
    expect(report.accessDigest).toBe('');
    expect(stderr).toMatch(output);
    expect(page).not.toContain('digest');
  });
});

test('the outputs of a stack come from Terraform in the folder of the stack', async () => {
  const world = await createWorld();
  const stack = join(world.folder, 'cdktf.out', 'stacks', 'net-test');
  await mkdir(stack, { recursive: true });
  await writeFile(join(stack, 'cdk.tf.json'), '{}');
  const terraform = join(world.folder, 'terraform-for-test');
  const state = (resources: readonly object[]) =>
    writeFile(
      join(stack, 'state'),
      JSON.stringify({ version: 4, outputs: { connectivity: { value: LINKS } }, resources }),
    );
  await state([]);
  await writeFile(terraform, '#!/bin/sh\n[ "$1 $2" = "state pull" ] && cat state\n');
  await chmod(terraform, 0o755);
  const env = { TERRAFORM_BINARY_NAME: terraform };
  const options = { cwd: world.folder, env };
  expect((await verify(world, ['--stack', 'net-test'], options)).exit).toBe(0);
  const missing = await verify(world, ['--stack', 'other'], options);
  expect(missing).toMatchObject({
    exit: 2,
    stderr: expect.stringMatching(/`--stack`.*"other"; synthesize it first/),
  });
  const tags = [{ key: 'secure-connectivity:stack', value: 'payroll' }];
  const instances = [{ attributes: { tags } }];
  await state([{ mode: 'managed', type: 'volcenginecc_vpc_vpc', name: 'network', instances }]);
  expect(await verify(world, ['--stack', 'net-test'], options)).toMatchObject({
    exit: 2,
    stderr: expect.stringMatching(/the state of net-test must not contain another stack.*payroll/),
  });
});

test('a failure names its cause and remedy, and prints the command to repeat it', async () => {
  const world = await createWorld();
  world.service.handler = ({ path }) =>
    path.endsWith('/token')
      ? tokenError('invalid_client', 'invalid jwt: kid not been registred')
      : undefined;
  const { exit, stdout, stderr } = await verify(world, BY_HAND);
  expect(exit).toBe(15);
  expect(unwrapped(stdout)).toMatch(
    /token\.key-pair: The key ID and the private key are not a pair .*\n +cause .*\n +because .*\n +remedy /,
  );
  expect(stdout).toMatch(/^ {2}with --verbose: .*what is ruled out/m);
  expect(stdout).toMatch(/^not-authorized in [\d.]+ ms, exit 15: link fails at token\n/);
  const command = stderr.split('\n')[1]?.trim() ?? '';
  expect(command).toMatch(/^npx secure-connectivity verify --base-url /);
  world.service.handler = () => undefined;
  const words = command.replace('npx secure-connectivity verify', '').trim().split(' ');
  const again = await verify(
    world,
    words.map((word) => word.replace(/^'|'$/g, '')),
  );
  expect([again.exit, again.stderr]).toEqual([0, '']);
});

test('the command to repeat a failure keeps what was typed, and nothing that variables gave', async () => {
  const world = await createWorld();
  world.dns = { names: {} };
  const typed = [
    ...['--ca-file', world.options.caFile ?? '', '--no-probes'],
    ...['--timeout', '9s', '--wait', '100ms', '--settle', '2'],
  ];
  const env = { SECURE_CONNECTIVITY_FAMILY: '4', SECURE_CONNECTIVITY_TLS_SERVER_NAME: 'a.example' };
  const { stderr } = await verify(world, [...BY_HAND, '--tls-server-name', 'b.example', ...typed], {
    env,
  });
  const command = stderr.trim().split('\n').at(-1)?.trim();
  expect(command).toBe(
    [
      'npx secure-connectivity verify',
      ...[...BY_HAND.slice(0, -1), '10.1.2.3/32', '--tls-server-name', 'b.example'],
      ...['--wait', '100ms', '--timeout', '9000ms', '--settle', '2'],
      ...['--ca-file', world.options.caFile ?? '', '--no-probes'],
    ].join(' '),
  );
});

test('nothing printed holds the key, the JWT or the token', async () => {
  const world = await createWorld();
  world.service.handler = ({ headers }) =>
    headers.authorization?.includes(TOKEN)
      ? { body: { code: 99, msg: `no: ${headers.authorization}` } }
      : undefined;
  const env = { SECURE_CONNECTIVITY_PRIVATE_KEY: PKCS8, SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: '' };
  const json = join(world.folder, 'report.json');
  const { exit, stdout, stderr } = await verify(
    world,
    [...BY_HAND, '--verbose', '--format', `json=${json}`],
    {
      env,
    },
  );
  expect(exit).toBe(16);
  const all = stdout + stderr + (await readFile(json, 'utf8'));
  for (const secret of [TOKEN, 'eyJ', PKCS8.split('\n')[1] ?? '', 'BEGIN']) {
    expect(all).not.toContain(secret);
  }
  expect(stdout).toMatch(/private key[: ]+from SECURE_CONNECTIVITY_PRIVATE_KEY/);
});

test('the key may come over standard input', async () => {
  const world = await createWorld();
  const result = await verify(world, [...BY_HAND, '--private-key-file', '-'], { input: PKCS8 });
  expect(result.exit).toBe(0);
});

test('waiting prints a line for each attempt', async () => {
  const world = await createWorld();
  let calls = 0;
  world.service.handler = () => {
    calls += 1;
    // The token call, and one without credential after it.
    return calls <= 2 ? { status: 503, body: 'starting' } : undefined;
  };
  const { exit, stderr, stdout } = await verify(world, [...BY_HAND, '--wait', '1m']);
  expect(exit).toBe(0);
  expect(stderr).toMatch(/^verify: link: attempt 1 failed with http\.server-error, next in \d/);
  expect(stdout).toContain('(attempt 2)');
});

test('a report alone does not fail, and a warning fails only when strict', async () => {
  const world = await createWorld();
  world.service.handler = ({ path }) =>
    path.startsWith('/v1') ? { body: { code: 0, msg: '', data: { workspaces: [] } } } : undefined;
  expect((await verify(world, BY_HAND)).exit).toBe(0);
  expect((await verify(world, [...BY_HAND, '--strict'])).exit).toBe(21);
  world.dns = { names: {} };
  const reported = await verify(world, [...BY_HAND, '--report-only']);
  expect(reported.exit).toBe(0);
  expect(reported.stdout).toContain('unreachable');
});

test('a rule from the variable is told in every format, and fails a strict run', async () => {
  const world = await createWorld();
  const rule = world.options.connectTo?.[0] ?? '';
  const formats = ['text', 'json', 'jsonl', 'junit', 'markdown', 'html', 'github', 'prometheus'];
  const files = formats.map((format) => join(world.folder, format));
  const flags = formats.flatMap((format, i) => ['--format', `${format}=${files[i]}`]);
  expect((await verify(world, [...BY_HAND, '--strict', ...flags])).exit).toBe(21);
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  for (const text of texts) expect(text).toContain(`127.0.0.1:${world.service.port}`);
  const given = ['--strict', '--connect-to', rule];
  const env = { SECURE_CONNECTIVITY_CONNECT_TO: '' };
  expect((await verify(world, [...BY_HAND, ...given], { env })).exit).toBe(0);
});

test('the network alone is checked without credentials', async () => {
  const world = await createWorld();
  const env = Object.fromEntries(
    Object.keys(environment(world))
      .slice(0, 4)
      .map((name) => [name, '']),
  );
  expect((await verify(world, [...BY_HAND, '--no-auth'], { env })).exit).toBe(0);
  expect((await verify(world, BY_HAND, { env })).exit).toBe(2);
});

test('what is missing or wrong is called by its flag, or by the variable that it came from', async () => {
  const folder = await temporaryFolder();
  const missing = await runHere(['verify', ...BY_HAND, '--key-id', ' '], { cwd: folder });
  expect(missing.exit).toBe(2);
  expect(unwrapped(missing.stdout)).toContain(
    'missing --enterprise-id, --app-id, --key-id, --private-key-file',
  );
  const env = { SECURE_CONNECTIVITY_DNS_SERVER: 'foo' };
  const wrong = await runHere(['verify', ...BY_HAND], { env });
  expect(wrong.stderr).toBe(
    'secure-connectivity: `SECURE_CONNECTIVITY_DNS_SERVER` must be an IP address with or without a port, got: "foo"\n',
  );
});

test('an interrupt gives the partial report and exit 130', async () => {
  const world = await createWorld();
  let interrupt: (signal: NodeJS.Signals) => void = () => undefined;
  world.service.handler = () => {
    interrupt('SIGINT');
    return 'silent';
  };
  const { exit, stdout } = await verify(world, BY_HAND, {
    onStart: (kill) => {
      interrupt = kill;
    },
  });
  expect(exit).toBe(130);
  expect(stdout).toMatch(/passed +preflight, dns, address, tcp /);
  expect(stdout).toContain('run.interrupted');
});

test.each<[why: string, args: readonly string[], message: RegExp]>([
  ['no link', [], /exactly one of `--outputs-file`.*got: none/],
  [
    'two sources',
    ['--links-from-environment', ...BY_HAND],
    /got: --links-from-environment, --base-url/,
  ],
  ['no variable', ['--links-from-environment'], /SECURE_CONNECTIVITY_LINKS, got: nothing/],
  ['no kind', ['--base-url', 'https://x.example', '--api-host', 'a.example'], /needs `--via`/],
  [
    'a path',
    [...BY_HAND, '--base-url', 'https://x.example/v1'],
    /: `--base-url` must be scheme, host and port only, got: "https:\/\/x\.example\/v1"\n$/,
  ],
  ['no API host', [...BY_HAND, '--api-host', ''], /: `--api-host` must not be empty\n$/],
  [
    'a part too many',
    [...BY_HAND, '--shard', '5/4'],
    /invalid\. It must be I\/N with I from 1 to N\.\n$/,
  ],
  ['no file of rules', [...BY_HAND, '--connect-to', '@/no/x'], /`--connect-to` must name.*ENOENT/],
  ['no file of authorities', [...BY_HAND, '--ca-file', '/no/x'], /`--ca-file` must be a readable/],
  ['http', [...BY_HAND, '--base-url', 'http://x.example'], /needs `--allow-plain-http`/],
  ['a wrong kind', [...BY_HAND, '--via', 'pigeon'], /'--via <kind>' argument 'pigeon' is invalid/],
  [
    'a wrong network',
    [...BY_HAND, '--expect-address', '10.0.0.1/8'],
    /host bits set; the network is 10\.0\.0\.0\/8/,
  ],
  ['a wrong duration', [...BY_HAND, '--timeout', 'soon'], /must be a duration such as/],
  ['no time', [...BY_HAND, '--timeout', '0'], /`--timeout` must be above 0/],
  ['a wrong format', [...BY_HAND, '--format', 'xml'], /must be one of text, json/],
  [
    'two reports in one',
    [...BY_HAND, '--format', 'json', '--format', 'text'],
    /`--format` can be given once/,
  ],
  [
    'a wrong DNS server',
    [...BY_HAND, '--dns-server', 'dns.example'],
    /`--dns-server` must be an IP/,
  ],
  [
    'a wrong rule',
    [...BY_HAND, '--connect-to', 'a:b'],
    /`--connect-to` must be FROM:PORT:ADDRESS:PORT/,
  ],
  ['no such file', ['--outputs-file', '/no/such/file'], /`--outputs-file`.*ENOENT/],
  ['an unknown flag', ['--insecure'], /unknown option '--insecure'/],
])('%s: one clear error and exit 2', async (_, args, message) => {
  const { exit, stdout, stderr } = await runHere(['verify', ...args]);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('an outputs file without links, and links of another version', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'outputs.json');
  await writeFile(file, JSON.stringify({ one: { other: 'x' } }));
  expect(await runHere(['verify', '--outputs-file', file])).toMatchObject({
    exit: 2,
    stderr: expect.stringMatching(/must hold an output `connectivity`/),
  });
  const none = encodeLinks({ rulesDigest: 'digest-3', links: [] });
  await writeFile(file, JSON.stringify({ pending: { connections: none } }));
  expect(await runHere(['verify', '--outputs-file', file])).toMatchObject({
    exit: 2,
    stderr: expect.stringMatching(/\(pending\) must hold at least one link, got: none/),
  });
  await writeFile(file, JSON.stringify({ one: { connectivity: '{"schema":"x@9"}' } }));
  expect(await runHere(['verify', '--outputs-file', file])).toMatchObject({
    exit: 2,
    stderr: expect.stringMatching(/outputs\.json \(one\) holds no links/),
  });
  await writeFile(file, JSON.stringify({ one: { connectivity: '{"rulesDigest":1,"more":2}' } }));
  const { stderr } = await runHere(['verify', '--outputs-file', file]);
  expect(stderr.trim().split('\n').slice(1)).toEqual([
    '  `schema` is required',
    '  `rulesDigest` must be text',
    '  `links` is required',
    '  `more` must not be there',
  ]);
});

test('a fixed-IP link by hand expects the addresses that the service names', async () => {
  const world = await createWorld();
  world.dns = { names: { [ENDPOINT_HOST]: ['203.0.113.7'] } };
  const { baseUrl, apiHost } = link();
  const args = [
    '--base-url',
    baseUrl,
    '--via',
    'fixed-ip-egress',
    '--api-host',
    apiHost,
    '--no-probes',
  ];
  const report = join(world.folder, 'report.json');
  const { exit, stderr } = await verify(world, [...args, '--format', `json=${report}`]);
  expect(exit).toBe(11);
  const { links } = JSON.parse(await readFile(report, 'utf8'));
  expect(JSON.stringify(links[0].stages)).toContain('221.194.131.81');
  expect(stderr).not.toContain('--expect-address');
  const own = await verify(world, [...args, '--expect-address', '203.0.113.7']);
  expect(own.stdout).toMatch(/passed +preflight, dns, address /);
});
