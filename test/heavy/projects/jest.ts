import { generateKeyPairSync } from 'node:crypto';
import { Testing } from 'cdktf';
import { FIXED_ADDRESSES } from 'cdktf-secure-connectivity';
import { type Link, linkSchema } from 'cdktf-secure-connectivity/link';
import { type ReviewReport, reviewReportSchema } from 'cdktf-secure-connectivity/review';
import { createServiceClient, signJwt } from 'cdktf-secure-connectivity/service';
import { parseSettings, type Settings } from 'cdktf-secure-connectivity/settings';
import { type Verification, verificationSchema, verify } from 'cdktf-secure-connectivity/verify';
import { AgentService } from '../stack';

test('the stack synthesizes, with the check as its last resource', () => {
  const stack = new AgentService(Testing.app(), 'agent-service');
  const { resource } = JSON.parse(Testing.synth(stack, true));
  expect(Object.keys(resource)).toContain('volcenginecc_privatelink_vpc_endpoint');
  const [check] = Object.values<{ provisioner: { 'local-exec': { interpreter: string[] } }[] }>(
    resource.null_resource,
  );
  expect(check?.provisioner[0]?.['local-exec'].interpreter[1]).toMatch(
    /node_modules\/cdktf-secure-connectivity\/dist\/cli\/main\.js$/,
  );
});

test('every other entry point loads, and its code works', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { jwt } = await signJwt({
    keyId: 'kid',
    appId: '1',
    apiHost: 'api.example.com',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  });
  expect(jwt.reveal().split('.')).toHaveLength(3);
  expect(typeof createServiceClient).toBe('function');
  expect(typeof verify).toBe('function');
  expect(FIXED_ADDRESSES.entries).toHaveLength(24);
  expect(() => parseSettings('{ "region": "elsewhere" }', 'settings')).toThrow(/region/);
});

// Types of every entry point, and not only what runs: an `any` would let all of this pass.
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? 1 : 0;
const isText: [
  Equal<Link['baseUrl'], string>,
  Equal<Settings['apiHost'], string>,
  Equal<Verification['startedAt'], string>,
  Equal<ReviewReport['violations'][number]['code'], string>,
] = [1, 1, 1, 1];

test('a schema reads what it describes', () => {
  expect(isText).toHaveLength(4);
  for (const schema of [linkSchema, verificationSchema, reviewReportSchema]) {
    expect(schema.safeParse({}).success).toBe(false);
  }
});
