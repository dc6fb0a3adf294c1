import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLOUD_PROVIDER, PROVIDER_CONFIGURATION } from '../../src/cloud/table/index.js';
import type { Row } from '../../src/cloud/table/row.js';
import { computed, required } from '../../src/cloud/table/row.js';
import type { Operations, StandInProvider } from '../../src/sandbox/provider/stand-in-provider.js';
import { serveProvider } from '../../src/sandbox/provider/stand-in-providers.js';
import { nullObject } from '../../src/sandbox/provider/value.js';
import { cliConfiguration } from '../../src/sandbox/terraform/prepare-terraform.js';
import { blocksOf } from '../docs/blocks.js';

/** The data source of endpoints with the attributes that the provider's schema, 0.0.53, has; no construct uses it. */
const ENDPOINT: Row = {
  kind: 'data',
  type: 'volcenginecc_privatelink_vpc_endpoint',
  version: 0,
  importId: ['EndpointId'],
  attributes: {
    id: required('string'),
    bps: computed('number'),
    business_status: computed('string'),
    connection_status: computed('string'),
    creation_time: computed('string'),
    deleted_time: computed('string'),
    description: computed('string'),
    endpoint_domain: computed('string'),
    endpoint_id: computed('string'),
    endpoint_index: computed('number'),
    endpoint_name: computed('string'),
    endpoint_type: computed('string'),
    ip_address_versions: computed('set(string)'),
    payer: computed('string'),
    private_dns_name: computed('string'),
    project_name: computed('string'),
    security_group_ids: computed('set(string)'),
    service_id: computed('string'),
    service_name: computed('string'),
    status: computed('string'),
    update_time: computed('string'),
    vpc_id: computed('string'),
    zones: computed('set(object)', {
      of: {
        ipv_6_service_status: computed('string'),
        network_interface_id: computed('string'),
        private_ip_address: computed('string'),
        private_ipv_6_address: computed('string'),
        service_status: computed('string'),
        subnet_id: computed('string'),
        zone_domain: computed('string'),
        zone_id: computed('string'),
        zone_status: computed('string'),
      },
    }),
  },
};

const refused = () => Promise.reject(new Error('this provider only reads'));
const OPERATIONS: Operations = {
  ...{ read: refused, create: refused, update: refused, delete: refused },
  readData: async (config) => {
    const zone = nullObject(ENDPOINT.attributes.zones?.of ?? {});
    const zones = ['a', 'b'].map((letter) => ({
      ...zone,
      zone_id: `cn-beijing-${letter}`,
      zone_domain: `ep-1a2b-${letter}.example`,
    }));
    return { state: { ...nullObject(ENDPOINT.attributes), ...config, zones }, diagnostics: [] };
  },
};
const PROVIDER: StandInProvider = {
  configuration: PROVIDER_CONFIGURATION,
  rows: [ENDPOINT],
  configure: () => [],
  operations: () => OPERATIONS,
  stop: () => undefined,
};

const folder = mkdtempSync(join(tmpdir(), 'secure-connectivity-hcl-'));
let server: Awaited<ReturnType<typeof serveProvider>>;
beforeAll(async () => {
  server = await serveProvider(() => PROVIDER);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

function terraform(...args: readonly string[]): Promise<{ status: number; output: string }> {
  const address = `registry.terraform.io/${CLOUD_PROVIDER.source}`;
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, CHECKPOINT_DISABLE: '1' },
    TF_CLI_CONFIG_FILE: join(folder, 'terraform.rc'),
    TF_REATTACH_PROVIDERS: JSON.stringify({
      [address]: {
        ...{ Protocol: 'grpc', ProtocolVersion: 6, Pid: process.pid, Test: true },
        Addr: { Network: 'tcp', String: `127.0.0.1:${server.port}` },
      },
    }),
  };
  return new Promise((done) => {
    execFile('terraform', args, { cwd: folder, env }, (error, stdout, stderr) =>
      done({ status: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

async function initialize(block: string): Promise<void> {
  const { name, source, versions: version } = CLOUD_PROVIDER;
  writeFileSync(join(folder, 'terraform.rc'), cliConfiguration());
  const required = { required_providers: { [name]: { source, version } } };
  const provider = { [name]: { region: 'cn-beijing' } };
  writeFileSync(
    join(folder, 'provider.tf.json'),
    JSON.stringify({ terraform: required, provider }),
  );
  writeFileSync(join(folder, 'main.tf'), block);
  const { status, output } = await terraform('init', '-input=false', '-no-color');
  expect(status, output).toBe(0);
}

const [block, ...more] = blocksOf('hcl');

test('the configuration of docs/options.md gives the domain of each zone', async () => {
  expect([block?.page, more]).toEqual(['docs/options.md', []]);
  await initialize(block?.text ?? '');
  const format = await terraform('fmt', '-check', '-diff', 'main.tf');
  expect(format.status, format.output).toBe(0);
  const applied = await terraform('apply', '-auto-approve', '-input=false', '-no-color');
  expect(applied.status, applied.output).toBe(0);
  const { output } = await terraform('output', '-json', 'zone-domains');
  expect(JSON.parse(output)).toEqual({
    'cn-beijing-a': 'ep-1a2b-a.example',
    'cn-beijing-b': 'ep-1a2b-b.example',
  });
});

test('an attribute that the data source does not have would be refused', async () => {
  await initialize((block?.text ?? '').replace('zone.zone_domain', 'zone.zone_name'));
  const { status, output } = await terraform('plan', '-input=false', '-no-color');
  expect(status).toBe(1);
  expect(output).toContain('This object does not have an attribute named "zone_name"');
});
