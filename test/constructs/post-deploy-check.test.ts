import type { TerraformStack } from 'cdktf';
import { describe, expect, test } from 'vitest';
import { FixedIpEgress } from '../../src/constructs/fixed-ip/fixed-ip-egress.js';
import { PluginEndpointService } from '../../src/constructs/plugin-endpoint-service/plugin-endpoint-service.js';
import { PostDeployCheck } from '../../src/constructs/post-deploy-check/post-deploy-check.js';
import type { PostDeployCheckProps } from '../../src/constructs/post-deploy-check/verifier-call.js';
import { PrivateNetwork } from '../../src/constructs/private-network.js';
import { ServiceEndpoint } from '../../src/constructs/service-endpoint/service-endpoint.js';
import type { ServiceEndpointProps } from '../../src/constructs/service-endpoint/service-endpoint-props.js';
import { decodeLinks, LINKS_SCHEMA } from '../../src/link/link.js';
import { resources, type Synthesized, synth } from '../support/synth.js';

function endpointIn(stack: TerraformStack, props: Partial<ServiceEndpointProps> = {}) {
  const network = new PrivateNetwork(stack, 'network', {
    network: { name: 'n', cidr: '10.0.0.0/16', subnets: { 'cn-beijing-a': '10.0.1.0/24' } },
  });
  return new ServiceEndpoint(stack, 'endpoint', {
    network,
    name: 'service',
    serviceName: 'com.example.epsvc-1a2b',
    apiHost: 'api.example',
    scheme: 'https',
    ...props,
  });
}

function build(props: Partial<PostDeployCheckProps> = {}) {
  return synth((stack) => {
    new PostDeployCheck(stack, 'check', { links: [endpointIn(stack)], ...props });
  });
}

interface Provisioner {
  readonly 'local-exec': {
    readonly interpreter: string[];
    readonly command: string;
    readonly environment: Record<string, string>;
  };
}

interface Check {
  readonly depends_on: string[];
  readonly triggers: Record<string, string>;
  readonly provisioner: readonly Provisioner[];
}

function checkIn(made: Synthesized) {
  return resources(made, 'null_resource').check as unknown as Check;
}

function preflightIn(made: Synthesized) {
  const [name = ''] = Object.keys(resources(made, 'null_resource')).filter(
    (one) => one !== 'check',
  );
  return { name, ...(resources(made, 'null_resource')[name] as unknown as Check) };
}

function check(props?: Partial<PostDeployCheckProps>) {
  const resource = checkIn(build(props));
  const [first] = resource.provisioner;
  if (first === undefined) throw new Error('no provisioner');
  return { ...resource, ...first['local-exec'] };
}

test('runs the verifier by node, without a shell, by a relative path', () => {
  const { interpreter, command } = check();
  expect(interpreter[0]).toBe('node');
  expect(interpreter[1]).toMatch(/^\.\.\/.*dist\/cli\/main\.js$/);
  expect(interpreter.slice(2)).toEqual([
    ...['verify', '--links-from-environment', '--wait', '300s', '--report-only'],
    ...['--format', 'json=connectivity-check.json', '--title'],
  ]);
  expect(command).toMatch(/^connectivity check of \S+$/);
});

test('runs where `runVia` leads to, and asks nothing of the network of this machine', () => {
  const runVia = [
    { name: 'office', command: ['ssh', 'bastion'] },
    { name: 'pod', command: ['kubectl', 'exec', '-i', 'my pod', '--'] },
  ];
  const { interpreter, triggers } = check({ runVia });
  expect(interpreter.slice(6, 10)).toEqual([
    ...['--run-via', 'office=ssh bastion'],
    ...['--run-via', "pod=kubectl exec -i 'my pod' --"],
  ]);
  expect(triggers.via).toContain('office=ssh bastion');
  const guests = { name: 'guests', command: ['ssh', 'guest-1'], expect: 'closed' } as const;
  const both = check({ runVia: [...runVia, guests] }).interpreter;
  expect(both).toContain('guests:closed=ssh guest-1');
  expect(check({ runVia: 'ssh bastion' }).interpreter).toContain('bastion=ssh bastion');
  const [there] = preflightIn(build({ runVia: 'ssh bastion' })).provisioner;
  expect(there?.['local-exec'].interpreter.join(' ')).not.toMatch(/\d\/\d/);
});

test('a place that cannot be named, or a secret in its command, fails the synthesis', () => {
  expect(() => build({ runVia: "ssh 'bastion" })).toThrow(/`runVia` must close its quotation/);
  const open = { name: 'a', command: [], expect: 'open' as 'closed' };
  expect(() => build({ runVia: ['here=', open] })).toThrow(
    /`runVia\[1\]` must be a command, or an object with name, command and expect/,
  );
  expect(() => build({ runVia: 'a:closed=x' })).toThrow(
    /`runVia` must have a vantage point that reaches/,
  );
  expect(() => build({ runVia: `ssh czs_${'x1'.repeat(12)}` })).toThrow(/`runVia`.*secret/);
});

test('fails the deploy in a step of its own, for Terraform repeats and cuts what fails', () => {
  const { command, provisioner } = check();
  expect(provisioner).toHaveLength(2);
  expect(provisioner[1]?.['local-exec']).toMatchObject({
    interpreter: [
      ...['node', expect.stringMatching(/dist\/cli\/main\.js$/), 'verify', '--from'],
      ...['connectivity-check.json', '--exit-status', '--title'],
    ],
    command,
  });
});

test('checks every link of an endpoint, the one over the API host included', () => {
  const made = synth((stack) => {
    const endpoint = endpointIn(stack, { privateZone: true });
    new PostDeployCheck(stack, 'check', { links: [endpoint] });
  });
  const names = decodeLinks(
    (made.json.output.connectivity?.value ?? '')
      .replace(/\$\{jsonencode\(.*?\)\}(?=,"expectedNetworks)/g, '[]')
      .replace(/"baseUrl":"https:\/\/\$\{[^"]*"/g, '"baseUrl":"https://x.example"'),
    'the output',
  ).links.map(({ name }) => name);
  expect(names).toEqual(['endpoint', 'endpoint-api-host']);
});

test('knows what is added to its constructs after it', () => {
  const made = synth((stack) => {
    const endpoint = endpointIn(stack);
    new PostDeployCheck(stack, 'check', { links: [endpoint] });
    endpoint.allowFrom('10.9.0.0/24');
  });
  const { triggers } = checkIn(made);
  expect(triggers.access).toBe(made.digest);
  expect(JSON.stringify(made.rules)).toContain('10.9.0.0/24');
});

test('waits for every resource of its links, rules included', () => {
  expect(check().depends_on.map((address) => address.split('.')[0])).toEqual([
    'volcenginecc_vpc_vpc',
    'volcenginecc_vpc_subnet',
    'volcenginecc_vpc_security_group',
    'volcenginecc_privatelink_vpc_endpoint',
  ]);
});

test('gives the verifier the same text that the stack gives out', () => {
  const made = build();
  const { environment, triggers } = check();
  const output = made.json.output.connectivity?.value;
  expect(environment).toEqual({ SECURE_CONNECTIVITY_LINKS: output });
  expect(output).toContain(LINKS_SCHEMA);
  expect(output).toContain(made.digest);
  expect(triggers.links).toBe(output);
  expect(triggers.access).toBe(made.digest);
});

test('runs again only after a change, or at every deploy', () => {
  expect(Object.keys(check().triggers)).toEqual(['access', 'links']);
  expect(check({ runOn: 'every-deploy' }).triggers.deployed).toBe('${timestamp()}');
});

describe('before the first resource', () => {
  test('everything of the links waits for the proof that the check can run', () => {
    const made = build();
    const { name, depends_on } = preflightIn(made);
    expect(depends_on).toBeUndefined();
    for (const type of [
      'vpc_vpc',
      'vpc_subnet',
      'vpc_security_group',
      'privatelink_vpc_endpoint',
    ]) {
      for (const resource of Object.values(resources(made, `volcenginecc_${type}`))) {
        expect(resource.depends_on, type).toContain(`null_resource.${name}`);
      }
    }
    // Nothing at all is made before it, whatever its type.
    const others = Object.entries(made.json.resource).flatMap(([type, named]) =>
      type === 'null_resource' ? [] : Object.values(named as object),
    );
    for (const { depends_on: waits } of others) expect(waits).toContain(`null_resource.${name}`);
  });

  test('the networks that may call are named, those that are allowed later included', () => {
    const made = synth((stack) => {
      const endpoint = endpointIn(stack);
      new PostDeployCheck(stack, 'check', { links: [endpoint] });
      endpoint.allowFrom('10.9.0.0/24');
    });
    expect(preflightIn(made).provisioner[0]?.['local-exec']).toMatchObject({
      interpreter: [
        ...['node', expect.stringMatching(/dist\/cli\/main\.js$/), 'verify', '--preflight'],
        ...['10.0.0.0/16', '10.9.0.0/24', '--api-host', 'api.example'],
        '--title',
      ],
      command: 'preflight of test',
    });
  });

  test('a link that anyone may call over beside it takes nothing from the judgement', () => {
    const made = synth((stack) => {
      const egress = new FixedIpEgress(stack, 'egress', {
        name: 'api',
        baseUrl: 'https://static-api.example',
        apiHost: 'api.example',
        enforcedElsewhere: 'the firewall of the office',
      });
      new PostDeployCheck(stack, 'check', { links: [egress, endpointIn(stack)] });
    });
    expect(preflightIn(made).provisioner[0]?.['local-exec'].interpreter).toContain('10.0.0.0/16');
  });

  test('no place is judged where groups that exist may let more in', () => {
    const made = synth((stack) => {
      const endpoint = endpointIn(stack, { securityGroupIds: ['sg-1'] });
      new PostDeployCheck(stack, 'check', { links: [endpoint] });
    });
    const { interpreter = [] } = preflightIn(made).provisioner[0]?.['local-exec'] ?? {};
    expect(interpreter).toContain('--preflight');
    expect(interpreter.join(' ')).not.toMatch(/\d\/\d/);
  });

  test('it is proved again with the access rules and the key pairs, and with nothing else', () => {
    const made = build({ runOn: 'every-deploy', keyPairs: [{ kid: 'k', keyFile: 'k.pem' }] });
    expect(preflightIn(made).triggers).toEqual({ access: made.digest, keys: 'k' });
  });

  test('each key pair is proved, and a report fails nothing', () => {
    const keyPairs = ['1', '2'].map((kid) => ({ kid, keyFile: `${kid}.pem` }));
    const { provisioner } = preflightIn(build({ keyPairs, mode: 'report' }));
    expect(
      provisioner.map((run) => run['local-exec'].environment.SECURE_CONNECTIVITY_KEY_ID),
    ).toEqual(['1', '2']);
    expect(provisioner[0]?.['local-exec'].interpreter).toContain('--report-only');
  });
});

test('can report without failing the deploy', () => {
  const { interpreter, provisioner } = check({ mode: 'report', waitSeconds: 5 });
  expect(interpreter).toContain('5s');
  expect(provisioner).toHaveLength(1);
});

test('can be off, and still gives the links out', () => {
  const made = build({ mode: 'off' });
  expect(made.json.resource.null_resource).toBeUndefined();
  expect(made.json.output.connectivity?.value).toContain(LINKS_SCHEMA);
});

describe('key pairs', () => {
  const keyPairs = [
    { kid: 'old', keyFile: 'keys/old.pem' },
    { kid: 'new', keyFile: 'keys/new.pem' },
  ];

  test('are proved one after the other, by the file and never by a key in the environment', () => {
    const { provisioner, triggers } = check({ keyPairs });
    const checks = provisioner.filter((_, i) => i % 2 === 0);
    const environments = checks.map((run) => run['local-exec'].environment);
    expect(checks.map((run) => run['local-exec'].command.split(' ').at(-1))).toEqual([
      'old',
      'new',
    ]);
    expect(environments.map((env) => env.SECURE_CONNECTIVITY_KEY_ID)).toEqual(['old', 'new']);
    for (const env of environments) {
      expect(env.SECURE_CONNECTIVITY_PRIVATE_KEY_FILE).toMatch(/^\.\.\/.*keys\/(old|new)\.pem$/);
      expect(env.SECURE_CONNECTIVITY_PRIVATE_KEY).toBe('');
    }
    expect(triggers.keys).toBe('old new');
  });

  test('are at most three', () => {
    const four = ['1', '2', '3', '4'].map((kid) => ({ kid, keyFile: `${kid}.pem` }));
    expect(() => build({ keyPairs: four })).toThrow('`keyPairs` must be at most 3, got: 4');
  });

  test('are files relative to the project', () => {
    const keyPairs = [{ kid: '1', keyFile: '/etc/key.pem' }];
    expect(() => build({ keyPairs })).toThrow(
      '`keyPairs` must name files relative to the project, and never hold a key',
    );
  });
});

test('tells the connections of private plugins as of the deploy', () => {
  const connection = {
    name: 'orders',
    serviceId: 'epsvc-1',
    endpointId: 'ep-1',
    ownerAccountId: '2100000000',
    status: 'Connected',
  };
  const connected = [{ connections: [connection], resources: [] }];
  const { json } = synth((stack) => {
    new PostDeployCheck(stack, 'check', { connected, links: [] });
  });
  const decoded = decodeLinks(json.output.connections?.value ?? '', 'the output');
  expect(decoded).toMatchObject({ links: [], connections: [connection] });
  expect(json.output).not.toHaveProperty('connectivity');
  expect(json.resource).toBeUndefined();
});

describe('of a private plugin alone', () => {
  const plugin = (mode: PostDeployCheckProps['mode'] = 'required') =>
    synth((stack) => {
      const network = new PrivateNetwork(stack, 'network', {
        network: { name: 'n', cidr: '10.0.0.0/16', subnets: { 'cn-beijing-a': '10.0.1.0/24' } },
      });
      const service = new PluginEndpointService(stack, 'plugin', {
        name: 'orders',
        backend: 'orders',
        serviceAccountId: '2100000001',
        payer: 'EndpointService',
        loadBalancer: {
          network,
          protocol: 'HTTP',
          port: 80,
          servers: [
            { type: 'ip', ip: '10.0.1.9', port: 8080 },
            { type: 'ip', ip: '10.0.1.10', port: 8080, weight: 0 },
          ],
        },
      });
      new PostDeployCheck(stack, 'check', { links: [], connected: [service], mode });
    });

  test('checks the servers that calls are sent to, after the load balancer, without a preflight', () => {
    const made = plugin();
    expect(Object.keys(resources(made, 'null_resource'))).toEqual(['check']);
    const { depends_on, provisioner } = checkIn(made);
    expect(depends_on).toContainEqual(expect.stringMatching(/^volcenginecc_clb_listener\./));
    const links = provisioner[0]?.['local-exec'].environment.SECURE_CONNECTIVITY_LINKS ?? '';
    expect(decodeLinks(links, 'the check').plugins).toMatchObject([
      {
        name: 'plugin',
        networks: ['10.0.0.0/16'],
        servers: ['10.0.1.9:8080'],
        healthCheck: { protocol: 'HTTP', path: '/', timeoutSeconds: 2 },
      },
    ]);
    expect(provisioner).toHaveLength(2);
  });

  test('can report without failing the deploy, and can be off', () => {
    expect(checkIn(plugin('report')).provisioner).toHaveLength(1);
    expect(plugin('off').json.resource.null_resource).toBeUndefined();
  });
});

describe('refuses', () => {
  test('to leave a link of the stack unchecked', () => {
    expect(() =>
      synth((stack) => {
        endpointIn(stack);
        const checked = { links: [], resources: [] };
        new PostDeployCheck(stack, 'check', { links: [checked] });
      }),
    ).toThrow('[test/check] `links` must have all of the stack, got: none of test/endpoint');
  });
  test('to check nothing', () => {
    expect(() => build({ links: [] })).toThrow('`links` must have at least one link');
  });
  test('to wait for less than nothing', () => {
    expect(() => build({ waitSeconds: -1 })).toThrow('`waitSeconds` must be 0 to 86400, got: -1');
  });
});
