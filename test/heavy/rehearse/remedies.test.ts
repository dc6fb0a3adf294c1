import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import {
  CloudProvider,
  PluginEndpointService,
  PostDeployCheck,
  PrivateNetwork,
  ServiceEndpoint,
} from 'cdktf-secure-connectivity';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RehearsedTree, readRehearsedTree } from '../../../src/rehearse/read-trees.js';
import { rehearse } from '../../../src/rehearse/rehearse.js';
import type { RehearsalReport } from '../../../src/rehearse/report-schema.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remedies-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Build = (stack: TerraformStack, network: PrivateNetwork) => void;

const ZONES = { 'cn-beijing-a': '10.20.1.0/24', 'cn-beijing-b': '10.20.2.0/24' };

function tree(name: string, build: Build, subnets: Readonly<Record<string, string>> = ZONES) {
  const app = new App({ outdir: join(folder, name) });
  const stack = new TerraformStack(app, 'own');
  new CloudProvider(stack, 'cloud', { region: 'cn-beijing' });
  const network = { name: 'agents', cidr: '10.20.0.0/16', subnets };
  build(stack, new PrivateNetwork(stack, 'network', { network }));
  app.synth();
  return readRehearsedTree(join(folder, name), '--base');
}

/**
 * Rehearses the two deploys of a remedy: nothing is cut but what is removed in the second.
 *
 * @param says what clients notice of the first
 */
async function rehearseBoth(
  trees: readonly [RehearsedTree, RehearsedTree, RehearsedTree],
  says: readonly RegExp[] = [],
) {
  const [base, between, head] = trees;
  const first = await rehearse({ base, head: between });
  expect(textsOf(first), 'the first deploy').toEqual(
    says.map((pattern) => expect.stringMatching(pattern)),
  );
  return rehearse({ base: between, head });
}

const textsOf = ({ findings }: RehearsalReport) => findings.map(({ text }) => text);

type EndpointProps = ConstructorParameters<typeof ServiceEndpoint>[2];

/** Endpoints beside each other in one network. */
function endpoints(all: Readonly<Record<string, Partial<EndpointProps>>>): Build {
  return (stack, network) => {
    const links = Object.entries(all).map(
      ([id, props]) =>
        new ServiceEndpoint(stack, id, {
          network,
          name: id,
          serviceName: 'com.volces.privatelink.cn-beijing.epsvc-sandbox',
          apiHost: 'api.sandbox.example',
          scheme: 'https',
          zones: [...network.subnets.keys()],
          ...props,
        }),
    );
    new PostDeployCheck(stack, 'check', { links, mode: 'off' });
  };
}

describe('a second endpoint beside the first, and then without the first', () => {
  test.each([
    ['another scheme', {}, { scheme: 'http' }],
    ['another project', { privateZone: true }, { projectName: 'agents' }],
  ] as const)('cuts no client of the second one: %s', async (_, own, change) => {
    const last = await rehearseBoth([
      tree('base', endpoints({ first: own })),
      tree('between', endpoints({ first: own, second: change })),
      tree('head', endpoints({ second: change })),
    ]);
    expect(last.outcome, last.summary).toBe('noticed');
    expect(new Set(last.findings.map(({ what }) => what.replace('-api-host', '')))).toEqual(
      new Set(['first']),
    );
    expect(textsOf(last)).toContainEqual(expect.stringMatching(/^first is removed: clients must/));
  });
});

test('another address in a zone cuts nothing but who remembers the old address, where it goes first and then comes again', async () => {
  const [a] = Object.entries(ZONES);
  const own = { privateZone: true };
  const moved = { ...own, addresses: { 'cn-beijing-b': '10.20.2.77' } };
  const atOnce = await rehearse({
    base: tree('base', endpoints({ first: own })),
    head: tree('at-once', endpoints({ first: moved })),
  });
  expect(atOnce.findings[0]).toMatchObject({
    kind: 'cut',
    what: 'first-api-host',
    remedy: expect.stringMatching(
      /^let clients call first \(https:.*\), which is open throughout; or in two deploys: first remove the zone .*\(its own domain is gone in between\)/,
    ),
  });
  const last = await rehearseBoth(
    [
      tree('base', endpoints({ first: own })),
      tree('between', endpoints({ first: own }), Object.fromEntries([a ?? []])),
      tree('head', endpoints({ first: moved })),
    ],
    [
      /^first-api-host is partly cut off from step 2 on, up to 60 s after step 1: resolvers may still give 10\.20\.2\.\d+, /,
    ],
  );
  expect(textsOf(last)).toEqual([]);
});

interface Listener {
  readonly port: number;
  readonly protocol: 'HTTP' | 'TCP';
  /** The last byte of the server's address, and its port. @default 10, 8080 */
  readonly server?: readonly [last: number, port: number];
}

describe('a second private plugin beside the first, and then without the first', () => {
  /** Plugins that are connected, each behind a load balancer of its own. */
  const plugins =
    (all: Readonly<Record<string, Listener>>): Build =>
    (stack, network) => {
      const connected = Object.entries(all).map(
        ([id, { server: [last, port] = [10, 8080], ...listener }]) =>
          new PluginEndpointService(stack, id, {
            name: id,
            backend: 'orders',
            serviceAccountId: '2100000001',
            payer: 'EndpointService',
            loadBalancer: {
              network,
              servers: [{ type: 'ip', ip: `10.20.1.${last}`, port }],
              ...listener,
            },
            acceptedEndpointIds: [`ep-${id}`],
          }),
      );
      new PostDeployCheck(stack, 'check', { links: [], connected, mode: 'off' });
    };

  test('another port of the servers of one cuts that one alone, though both listen on one port', async () => {
    const listener = { port: 80, protocol: 'TCP' } as const;
    const second = { ...listener, server: [11, 8080] } as const;
    const report = await rehearse({
      base: tree('base', plugins({ first: listener, second })),
      head: tree('head', plugins({ first: { ...listener, server: [10, 8081] }, second })),
    });
    expect(report.outcome, report.summary).toBe('noticed');
    const ofPlugins = report.findings.filter(({ what }) => /^(?:first|second)$/.test(what));
    expect(ofPlugins.map(({ text }) => text)).toEqual([
      'first is interrupted from step 1 to 2 (packets are dropped)',
    ]);
  });

  test('cuts no call over the second one: another port', async () => {
    const first = { port: 80, protocol: 'HTTP' } as const;
    const second = { port: 81, protocol: 'HTTP' } as const;
    const last = await rehearseBoth([
      tree('base', plugins({ first })),
      tree('between', plugins({ first, second })),
      tree('head', plugins({ second })),
    ]);
    // The way back is closed: an endpoint asks for its connection once.
    const whats = last.findings.map(({ what }) => what.replace(/_\w{8}$/, ''));
    expect(new Set(whats)).toEqual(new Set(['first', 'orders', 'orders-listener', 'rollback']));
    expect(textsOf(last)).toContainEqual(
      expect.stringMatching(
        /^account \d+ can no longer ask .* orders through \S+\.first from step/,
      ),
    );
    // Both listeners are called alike: only the port of the first is lost, and what its group let in.
    expect(textsOf(last).filter((text) => / can no longer reach /.test(text))).toEqual([
      expect.stringMatching(
        /^100\.64\.0\.0\/10 can no longer reach orders-listener:80 through \S+\.first_load\S+ \(private\) from step/,
      ),
      expect.stringMatching(
        /^100\.64\.0\.0\/10 can no longer reach orders:8080 through \S+\.first_backend-security-group_\w+ from step/,
      ),
    ]);
    expect(last.head.deploy.status).toBe('passed');
    expect(last.head.check.links).toEqual([{ stack: 'own', name: 'second', seen: 'reachable' }]);
  });
});
