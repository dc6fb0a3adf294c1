import { describe, expect, test } from 'vitest';
import { checkAccessModel } from '../../src/access/access-file.js';
import { type AccessModel, accessModel } from '../../src/access/access-model.js';
import type { IPrivateNetwork } from '../../src/constructs/network-props.js';
import { pluginRules } from '../../src/constructs/plugin-endpoint-service/make-plugin-service.js';
import { kubernetes } from '../../src/render/network-policies.js';
import { clientSide, requireClientSide, selectRules } from '../../src/render/select-rules.js';
import { nftables } from '../../src/render/target-table.js';
import type { Evaluator } from './evaluators/evaluator.js';
import { nftables as runNftables } from './evaluators/nftables.js';
import * as policies from './evaluators/policies.js';
import { cidrRule } from './models.js';
import { boundaryPackets, opens } from './packets.js';

const ENDPOINT = { subject: 'agent-service', addresses: ['10.30.1.200', '10.30.2.201'] };

const toEndpoint = (cidr: string, reason: string) =>
  cidrRule(cidr, {
    via: 'service-endpoint',
    direction: 'ingress',
    subject: ENDPOINT.subject,
    ports: { first: 443, last: 443 },
    reason,
  });

const MODEL = accessModel(
  'api-access-test',
  [toEndpoint('10.30.0.0/16', 'agents'), toEndpoint('10.31.0.0/16', 'batch jobs')],
  [ENDPOINT],
);

/** The clients' access, written by hand: they call both addresses of the endpoint at its port. */
const CLIENTS: AccessModel = accessModel(
  MODEL.stack,
  ENDPOINT.addresses.map((address) =>
    cidrRule(`${address}/32`, { subject: ENDPOINT.subject, ports: { first: 443, last: 443 } }),
  ),
);

describe('what lets clients into an endpoint is rendered as what lets them out to it', () => {
  test.each<[string, (model: AccessModel) => string, Evaluator]>([
    ['kubernetes', kubernetes.render, policies.kubernetes],
    ['nftables', nftables.render, runNftables],
  ])('%s', (_, render, evaluator) => {
    const passes = evaluator(render(clientSide(MODEL)), CLIENTS);
    const packets = boundaryPackets(accessModel('', [...MODEL.rules, ...CLIENTS.rules]));
    expect(packets.filter((packet) => opens(CLIENTS, packet))).toHaveLength(2);
    expect(packets.filter((packet) => passes(packet) !== opens(CLIENTS, packet))).toEqual([]);
  });

  test('other rules stay as they are, and reasons are kept', () => {
    const fixed = cidrRule('198.51.100.1/32');
    const { rules } = clientSide(accessModel('s', [...MODEL.rules, fixed], [ENDPOINT]));
    expect(rules).toContainEqual(fixed);
    expect(rules.map(({ direction }) => direction)).toEqual(Array(5).fill('egress'));
    expect(new Set(rules.map(({ reason }) => reason))).toEqual(
      new Set(['agents', 'batch jobs', fixed.reason]),
    );
  });
});

describe('of a private plugin, the backend is rendered and the listener in the cloud is not', () => {
  const plugin = (backend: string) => {
    const props = {
      name: backend,
      backend,
      serviceAccountId: '2100000001',
      payer: 'EndpointService' as const,
      loadBalancer: {
        network: {} as IPrivateNetwork,
        protocol: 'HTTP' as const,
        port: 80,
        servers: [{ type: 'ip' as const, ip: '10.40.1.10', port: 8080 }],
      },
    };
    return Object.values(pluginRules(props)).flat();
  };
  const rendered = (backends: readonly string[], render: (model: AccessModel) => string) => {
    const model = accessModel('plugin-access-test', backends.flatMap(plugin));
    return render(selectRules(clientSide(model), ['peer=cidr']));
  };

  test('is rendered with the rules of its backend alone', () => {
    const text = rendered(['orders'], kubernetes.render);
    expect(text.match(/^kind: /gm)).toHaveLength(1);
    expect(text).toContain('secure-connectivity/subject: orders\n');
    expect(text).toMatch(/100\.64\.0\.0\/10[\s\S]*port: 8080/);
    expect(text).not.toMatch(/listener|port: 80$/m);
  });

  test('a backend that has the name of a listener is rendered', () => {
    const text = rendered(['orders', 'orders-listener'], kubernetes.render);
    expect(text.match(/^kind: /gm)).toHaveLength(2);
  });
});

test('an endpoint whose addresses are not known is refused with the remedy', () => {
  const model = clientSide(accessModel('s', MODEL.rules, [{ ...ENDPOINT, subject: 'another' }]));
  expect(() => requireClientSide(model, 'nftables')).toThrow(
    /`nftables` needs the addresses of the endpoint agent-service.*synthesize the stack again/,
  );
  expect(() => requireClientSide(clientSide(MODEL), 'nftables')).not.toThrow();
});

test('addresses of an endpoint are checked, and are outside the digest', () => {
  expect(checkAccessModel(JSON.parse(JSON.stringify(MODEL)))).toEqual(MODEL);
  expect(MODEL.digest).toBe(accessModel(MODEL.stack, MODEL.rules).digest);
  for (const addresses of [[], ['10.30.1.0/24'], ['a host']]) {
    const model = { ...MODEL, endpoints: [{ ...ENDPOINT, addresses }] };
    expect(() => checkAccessModel(model)).toThrow(/`endpoints\.0\.addresses/);
  }
});
