import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeLinks, type Link } from '../../src/link/link.js';
import { verificationSchema } from '../../src/verify/model/verification.js';
import { ENDPOINT_HOST } from '../support/application.js';
import { runHere } from '../support/run-here.js';
import { createWorld, link } from '../support/verifiable-link.js';
import { worldFlags } from '../support/world-flags.js';

const EXPRESSION = '${cloud_endpoint.service-endpoint.endpoint_domain}';

function stackLink(change: Partial<Link> = {}): Link {
  const { accessDigest: _, ...rest } = link();
  return { ...rest, ...change };
}

/** Checks the link of an outputs file beside a tree that has another one. */
async function checkBeside(
  inTree: Partial<Link>,
  inFile: Partial<Link> = {},
  digest = 'digest-1',
  stack = 'stack',
  treeStack = 'stack',
) {
  const world = await createWorld();
  const encode = (change: Partial<Link>, rulesDigest: string) =>
    encodeLinks({ rulesDigest, links: [stackLink(change)] });
  const outputs = { [stack]: { connectivity: encode(inFile, 'digest-1') } };
  await writeFile(join(world.folder, 'outputs.json'), JSON.stringify(outputs));
  const folder = join(world.folder, 'cdktf.out', 'stacks', treeStack);
  await mkdir(folder, { recursive: true });
  const value = encode(inTree, digest);
  const tree = { output: { 'rules-digest': { value: digest }, connectivity: { value } } };
  await writeFile(join(folder, 'cdk.tf.json'), JSON.stringify(tree));
  const args = ['verify', '--outputs-file', 'outputs.json', '--strict', '--format', 'json'];
  const run = await runHere([...args, ...worldFlags(world)], { cwd: world.folder });
  return { ...run, requests: world.service.requests.length };
}

test('a host that the tree fixes is vouched for', async () => {
  const { exit, stdout } = await checkBeside({});
  expect(exit).toBe(0);
  expect(stdout).not.toContain('link.host-not-vouched');
});

test('a stack whose name has a dot is held against its own tree', async () => {
  const other = { baseUrl: 'https://other.example' };
  const refused = await checkBeside({}, other, 'digest-1', 'api.eu', 'api.eu');
  expect({ exit: refused.exit, requests: refused.requests }).toEqual({ exit: 2, requests: 0 });
  expect(refused.stderr).toContain('with another `baseUrl`');
  expect((await checkBeside({}, {}, 'digest-1', 'api.eu', 'api.eu')).exit).toBe(0);
});

test.each<[field: string, inFile: Partial<Link>]>([
  ['baseUrl', { baseUrl: 'https://other.example' }],
  ['via', { via: 'internet' }],
  ['tlsServerName', { tlsServerName: 'other.example' }],
  ['name', { name: 'another' }],
])('a file whose %s is not that of the tree is refused before the first packet', async (field, inFile) => {
  const { exit, stderr, requests } = await checkBeside({}, inFile);
  expect({ exit, requests }).toEqual({ exit: 2, requests: 0 });
  expect(stderr).toMatch(new RegExp(`must hold the links of .*with another \`${field}\``));
});

test('where an expression gives the host, it must lead to no other place in the URL', async () => {
  const open = { baseUrl: `https://${EXPRESSION}` };
  const { exit, stderr } = await checkBeside(open, { baseUrl: `https://${ENDPOINT_HOST}:8443` });
  expect(exit).toBe(2);
  expect(stderr).toContain('with another `baseUrl`');
});

test.each<[what: string, inTree: Partial<Link>, digest: string, stack?: string]>([
  [
    'an expression gives it, and no state is at hand',
    { baseUrl: `https://${EXPRESSION}` },
    'digest-1',
  ],
  ['the tree is another than was deployed', {}, 'digest-2'],
  ['the file names a stack that the tree does not have', {}, 'digest-1', 'another'],
])('a host is not vouched for where %s, and a strict check fails', async (...[
  ,
  inTree,
  digest,
  stack,
]) => {
  const { exit, stdout } = await checkBeside(inTree, {}, digest, stack);
  expect(exit).toBe(21);
  const [checked] = verificationSchema.parse(JSON.parse(stdout)).links;
  expect(checked?.verdict).toBe('reachable');
  expect(checked?.stages[0]).toMatchObject({
    status: 'warned',
    code: 'link.host-not-vouched',
    evidence: { host: ENDPOINT_HOST },
  });
});
