import { createRequire } from 'node:module';
import { App, TerraformStack } from 'cdktf';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const require = createRequire(import.meta.url);

const ENTRIES = Object.keys(manifest.exports)
  .filter((name) => !name.endsWith('.json') && name !== './cdktn')
  .map((name) => name.replace('.', manifest.name));

describe('what both module forms of the package share', () => {
  test.each(ENTRIES)('%s exports the same names to `import` and to `require`', async (entry) => {
    const names = Object.keys(await import(entry)).sort();
    expect(names.length).toBeGreaterThan(0);
    expect(Object.keys(require(entry)).sort()).toEqual(names);
  });

  test('they are two copies, each of whose errors the other one recognizes', async () => {
    const esm = await import('cdktf-secure-connectivity/service');
    const cjs: typeof esm = require('cdktf-secure-connectivity/service');
    expect(cjs.ConnectivityError).not.toBe(esm.ConnectivityError);
    const error = new cjs.ConnectivityError('usage.invalid', 'not so');
    expect(error).toBeInstanceOf(esm.ConnectivityError);
    expect(error).not.toBeInstanceOf(esm.ServiceError);
    const answered = new esm.ServiceError('api.permission', 'call', { httpStatus: 400 });
    expect(answered).toBeInstanceOf(cjs.ServiceError);
    expect(answered).toBeInstanceOf(cjs.ConnectivityError);
    expect(answered).not.toBeInstanceOf(cjs.ChatError);
    expect(new Error('another')).not.toBeInstanceOf(cjs.ConnectivityError);
  });

  test('a subclass in another package recognizes only its own objects', async () => {
    const { ConnectivityError } = await import('cdktf-secure-connectivity/service');
    class Own extends ConnectivityError {}
    expect(new ConnectivityError('usage.invalid', 'not so')).not.toBeInstanceOf(Own);
    expect(new Own('usage.invalid', 'not so')).toBeInstanceOf(Own);
    expect(new Own('usage.invalid', 'not so')).toBeInstanceOf(ConnectivityError);
  });

  test('a stack has one set of access rules, whichever form asks for it', async () => {
    const esm = await import('cdktf-secure-connectivity');
    const cjs: typeof esm = require('cdktf-secure-connectivity');
    const stack = new TerraformStack(new App(), 'stack');
    expect(cjs.StackAccess).not.toBe(esm.StackAccess);
    expect(cjs.StackAccess.of(stack)).toBe(esm.StackAccess.of(stack));
  });

  /** The problems of a stack that has an endpoint from each form, and a check. */
  async function mixedStack(apiHosts: readonly string[]) {
    const esm = await import('cdktf-secure-connectivity');
    const cjs: typeof esm = require('cdktf-secure-connectivity');
    const stack = new TerraformStack(new App(), 'stack');
    new esm.CloudProvider(stack, 'cloud', { region: 'cn-beijing' });
    const network = new esm.PrivateNetwork(stack, 'network', {
      network: { name: 'n', cidr: '10.0.0.0/16', subnets: { 'cn-beijing-a': '10.0.1.0/24' } },
    });
    const links = [esm, cjs].map(
      (form, index) =>
        new form.ServiceEndpoint(stack, `endpoint-${index}`, {
          ...{ network, name: `endpoint-${index}`, apiHost: apiHosts[index] ?? '' },
          ...{ serviceName: 'com.example.epsvc-1a2b', scheme: 'https', privateZone: true },
          addresses: { 'cn-beijing-a': `10.0.1.${200 + index}` },
          allowedNetworks: ['10.0.1.0/24'],
        }),
    );
    new esm.PostDeployCheck(stack, 'check', { links });
    new cjs.PostDeployCheck(stack, 'check-of-plugins', { links: [], connected: [] });
    return stack.node.findAll().flatMap(({ node }) => node.validate());
  }

  test('a link is checked by a check of the other form', async () => {
    // The second check has nothing to do, and that is all.
    expect(await mixedStack(['a.example', 'b.example'])).toEqual([
      '`links` must have at least one link',
    ]);
  });

  test('two private zones of one name are refused, whichever form they are of', async () => {
    expect((await mixedStack(['a.example', 'a.example'])).join('\n')).toMatch(
      /`privateZone` must be on for only one endpoint in a network/,
    );
  });
});

test('a schema is exported with what reads a value, in both forms', async () => {
  const { linkSchema } = await import('cdktf-secure-connectivity/link');
  const cjs = require('cdktf-secure-connectivity/link');
  for (const schema of [linkSchema, cjs.linkSchema] as (typeof linkSchema)[]) {
    const read = schema.safeParse({ name: '' });
    expect(read.success).toBe(false);
    if (read.success) continue;
    expect(read.error.issues.map(({ path }) => path.join('.'))).toContain('baseUrl');
  }
});
