import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { sandboxForTest } from '../sandbox/support.js';
import { temporaryFolder } from '../support/cleanup.js';
import { linkPackages } from '../support/linked-project.js';
import { pagesWith, pageText } from './blocks.js';

/** Pages whose blocks are not run here, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'README.md': 'typescript-blocks synthesizes it; heavy/consumers deploys a stack like it',
  'docs/first-deploy.md': 'needs cdktn, which heavy/cdktn installs',
};

const RUN_HERE = ['docs/ci.md', 'docs/client.md', 'docs/options.md'];

/** Runs a program in a folder that has this package, and answers what it prints. */
async function run(program: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const folder = await temporaryFolder();
  linkPackages(folder);
  const { code } = await transform(program, { loader: 'ts' });
  writeFileSync(join(folder, 'main.mjs'), code);
  const { stdout } = await promisify(execFile)('node', ['main.mjs'], {
    cwd: folder,
    // Where apps without a folder of their own make one.
    env: { ...process.env, TMPDIR: folder, ...env },
  });
  return stdout;
}

test('the TypeScript blocks of every page are run, or have a reason why not', () => {
  expect(pagesWith('ts').sort()).toEqual([...Object.keys(ELSEWHERE), ...RUN_HERE].sort());
});

test('the assertions of docs/ci.md hold for a stack as they say, and for no wider one', async () => {
  const stack = (allowed: string) => `
import { Testing, TerraformStack } from 'cdktf';
import { CloudProvider, FixedIpEgress, PrivateNetwork, ServiceEndpoint } from 'cdktf-secure-connectivity';
const stack = new TerraformStack(Testing.app(), 'api');
new CloudProvider(stack, 'cloud', { region: 'cn-beijing' });
const network = PrivateNetwork.fromAttributes(stack, 'network', {
  vpcId: 'vpc-1a2b',
  cidrs: ['10.30.0.0/16'],
  subnets: { 'cn-beijing-a': { subnetId: 'subnet-1a2b', cidr: '10.30.1.0/24' } },
});
const apiHost = 'api.example.com';
new ServiceEndpoint(stack, 'endpoint', {
  ...{ network, name: 'agents', apiHost, scheme: 'https', allowedNetworks: ['${allowed}'] },
  serviceName: 'com.example.epsvc-1a2b',
});
new FixedIpEgress(stack, 'fixed', {
  ...{ name: 'api', apiHost, baseUrl: 'https://static-api.example.com' },
  prefixList: { vpcId: 'vpc-1a2b' },
});
`;
  const assertions = pageText('ts', 'docs/ci.md');
  await expect(run(stack('10.30.1.0/24') + assertions)).resolves.toBe('');
  await expect(run(stack('10.30.0.0/16') + assertions)).rejects.toThrow(/10\.30\.2\.0\/24/);
}, 60_000);

test('the client of docs/client.md lists, chats and streams, with a key in its hands and in a store', async () => {
  const { env, ports } = await sandboxForTest();
  const facts: Readonly<Record<string, string | undefined>> = {
    'api.example.com': 'api.sandbox.example',
    volcano_2100000000: env.SECURE_CONNECTIVITY_ENTERPRISE_ID,
    '1170000000000001': env.SECURE_CONNECTIVITY_APP_ID,
    'fingerprint of the public key': env.SECURE_CONNECTIVITY_KEY_ID,
    "baseUrl: 'https://ep-1.example.com',": '...way,',
    // The next block uses the client again.
    'await client.close();': '',
    // Read by the program below from the file.
    "process.env.PRIVATE_KEY ?? ''": 'privateKey',
  };
  const text = Object.entries(facts).reduce(
    (page, [example, own = '']) => page.replaceAll(example, own),
    pageText('ts', 'docs/client.md'),
  );
  const printed = await run(
    `
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
const read = (name: string) => readFileSync(process.env[name] ?? '', 'utf8');
const way = {
  baseUrl: 'https://127.0.0.1:${ports.https}',
  tlsServerName: 'api.sandbox.example',
  ca: read('SECURE_CONNECTIVITY_CA_FILE'),
};
const privateKey = read('SECURE_CONNECTIVITY_PRIVATE_KEY_FILE');
const keyStore = {
  sign: async (input: Uint8Array, _: object) => sign('RSA-SHA256', input, createPrivateKey(privateKey)),
};
${text}
await client.close();
const other = createServiceClient({ ...way, credentials });
for await (const workspace of other.workspaces()) console.log('store', workspace.id);
await other.close();
`,
    { ...env },
  );
  expect(printed).toMatch(/^\d+ .+\n/);
  expect(printed).toMatch(/^You said: Hello\n/m);
  expect(printed).toMatch(/^all answers are there$/m);
  expect(printed.match(/You said: Hello/g)).toHaveLength(2);
  expect(printed).toMatch(/^store \d+$/m);
}, 60_000);

test('the backend of docs/options.md reads the user of a call, and throws for a forged one', async () => {
  const from = (address: string) => `
const request = {
  headers: { 'x-aiplugin-connector-identifier': 'user-42' },
  socket: { remoteAddress: '${address}' },
};
const options = { trustedNetworks: ['100.64.0.0/10'], trustedProxies: [] };
${pageText('ts', 'docs/options.md')}
console.log(user.userId);
`;
  await expect(run(from('100.64.0.9'))).resolves.toBe('user-42\n');
  await expect(run(from('203.0.113.9'))).rejects.toThrow(/refused/);
}, 60_000);
