import { describe, expect, test } from 'vitest';
import { review } from '../../src/review/review.js';
import { from, reviewOfTerraform, stackOf, TODAY, treeOf } from './trees.js';

const VPC_ID = '${volcenginecc_vpc_vpc.network.vpc_id}';

const STACK = {
  resource: {
    volcenginecc_vpc_vpc: { network: { cidr_block: '10.20.0.0/16', vpc_name: 'agents' } },
    volcenginecc_vpc_subnet: {
      a: { vpc_id: VPC_ID, zone_id: 'cn-beijing-a', cidr_block: '10.20.1.0/24' },
    },
    volcenginecc_privatelink_vpc_endpoint: {
      own: {
        vpc_id: VPC_ID,
        service_name: 'com.example.service',
        endpoint_name: 'agents',
        zones: [{ zone_id: 'cn-beijing-a' }, { zone_id: 'cn-beijing-b' }],
        lifecycle: { prevent_destroy: true },
      },
    },
    volcenginecc_privatelink_endpoint_service: {
      own: { payer: 'Endpoint', permit_account_ids: [] },
    },
  },
} as const;

type Resources = Record<string, Record<string, Record<string, unknown>>>;

/** The stack with some attributes changed. */
function changed(changes: Resources): Record<string, unknown> {
  const resource = structuredClone(STACK.resource) as unknown as Resources;
  for (const [type, byName] of Object.entries(changes)) {
    for (const [name, body] of Object.entries(byName)) {
      resource[type] = { ...resource[type], [name]: { ...resource[type]?.[name], ...body } };
    }
  }
  return { resource };
}

function without(type: string): Record<string, unknown> {
  const { [type]: _, ...resource } = structuredClone(STACK.resource) as unknown as Resources;
  return { resource };
}

const disruptionsOf = (head: Record<string, unknown>) =>
  reviewOfTerraform(STACK, head).disruptions.map(({ resource, action, because }) => [
    resource,
    action,
    because.join(', '),
  ]);

describe('tells what cuts a connection or changes a domain', () => {
  test('nothing where nothing changed, and nothing where a name changed', () => {
    expect(disruptionsOf(STACK)).toEqual([]);
    expect(
      disruptionsOf(changed({ volcenginecc_vpc_vpc: { network: { vpc_name: 'other' } } })),
    ).toEqual([]);
  });

  test('a replacement, by the attributes that force it', () => {
    const { disruptions } = reviewOfTerraform(
      STACK,
      changed({ volcenginecc_privatelink_vpc_endpoint: { own: { service_name: 'other' } } }),
    );
    expect(disruptions).toEqual([
      {
        stack: 'api-access',
        resource: 'volcenginecc_privatelink_vpc_endpoint.own',
        action: 'replaced',
        because: ['service_name'],
        effect:
          'a new endpoint with a new domain: every client is cut off until it calls the new domain',
        isRefused: true,
      },
    ]);
  });

  test('what refers to a replaced resource by such an attribute is replaced too', () => {
    const head = changed({ volcenginecc_vpc_vpc: { network: { project_name: 'other' } } });
    expect(disruptionsOf(head)).toEqual([
      ['volcenginecc_privatelink_vpc_endpoint.own', 'replaced', 'vpc_id'],
      ['volcenginecc_vpc_subnet.a', 'replaced', 'vpc_id'],
      ['volcenginecc_vpc_vpc.network', 'replaced', 'project_name'],
    ]);
  });

  test('a removal', () => {
    expect(disruptionsOf(without('volcenginecc_privatelink_endpoint_service'))).toEqual([
      ['volcenginecc_privatelink_endpoint_service.own', 'removed', ''],
    ]);
  });

  test('a change in place that moves the addresses of an endpoint; the order of zones is none', () => {
    const zones = (...ids: string[]) => ({
      volcenginecc_privatelink_vpc_endpoint: {
        own: { zones: ids.map((zone_id) => ({ zone_id })) },
      },
    });
    expect(disruptionsOf(changed(zones('cn-beijing-b', 'cn-beijing-a')))).toEqual([]);
    expect(disruptionsOf(changed(zones('cn-beijing-a')))).toEqual([
      ['volcenginecc_privatelink_vpc_endpoint.own', 'changed', 'zones'],
    ]);
  });

  test('another payer replaces the endpoint service', () => {
    const payer = {
      volcenginecc_privatelink_endpoint_service: { own: { payer: 'EndpointService' } },
    };
    expect(disruptionsOf(changed(payer))).toEqual([
      ['volcenginecc_privatelink_endpoint_service.own', 'replaced', 'payer'],
    ]);
  });

  test('a moved resource is neither removed nor replaced, and neither is what refers to it', () => {
    const { network, ...others } = STACK.resource.volcenginecc_vpc_vpc;
    const text = JSON.stringify({
      ...STACK.resource,
      volcenginecc_vpc_vpc: { ...others, vpc: network },
    }).replaceAll('volcenginecc_vpc_vpc.network.', 'volcenginecc_vpc_vpc.vpc.');
    const [from, to] = ['volcenginecc_vpc_vpc.network', 'volcenginecc_vpc_vpc.vpc'];
    const moved = [{ from, to }];
    expect(disruptionsOf({ resource: JSON.parse(text), moved })).toEqual([]);
    const twice = [
      { from, to: 'volcenginecc_vpc_vpc.other' },
      { from: 'volcenginecc_vpc_vpc.other', to },
    ];
    expect(disruptionsOf({ resource: JSON.parse(text), moved: twice })).toEqual([]);
    const resized = JSON.parse(
      text.replace('"cidr_block":"10.20.0.0/16"', '"cidr_block":"10.9.0.0/16"'),
    );
    expect(disruptionsOf({ resource: resized, moved: twice })).toContainEqual([
      from,
      'replaced',
      'cidr_block',
    ]);
    const circle = [
      { from, to },
      { from: to, to: from },
    ];
    expect(disruptionsOf({ resource: JSON.parse(text), moved: circle })).not.toEqual([]);
    expect(disruptionsOf({ resource: JSON.parse(text) })[0]).toEqual([
      'volcenginecc_privatelink_vpc_endpoint.own',
      'replaced',
      'vpc_id',
    ]);
  });

  test('a move to what is there already moves nothing: Terraform removes what it names', () => {
    const endpoints = STACK.resource.volcenginecc_privatelink_vpc_endpoint;
    const other = { ...endpoints.own, endpoint_name: 'other' };
    const base = changed({ volcenginecc_privatelink_vpc_endpoint: { other } });
    const type = 'volcenginecc_privatelink_vpc_endpoint';
    const head = { ...STACK, moved: [{ from: `${type}.other`, to: `${type}.own` }] };
    const { decision, disruptions } = reviewOfTerraform(base, head);
    expect(decision).toBe('needs-approval');
    expect(disruptions).toMatchObject([{ resource: `${type}.other`, action: 'removed' }]);
  });
});

test('tells the base URL that clients must call instead', () => {
  const output = (baseUrl: string) => ({
    output: {
      connectivity: { value: JSON.stringify({ links: [{ name: 'a', via: 'x', baseUrl }] }) },
    },
  });
  const { domains } = reviewOfTerraform(
    output('https://${volcenginecc_privatelink_vpc_endpoint.own.endpoint_domain}'),
    output('https://${volcenginecc_privatelink_vpc_endpoint.own.endpoint_domain}:8443'),
  );
  expect(domains).toEqual([
    {
      stack: 'api-access',
      link: 'a',
      was: 'https://<endpoint_domain of volcenginecc_privatelink_vpc_endpoint.own>',
      now: 'https://<endpoint_domain of volcenginecc_privatelink_vpc_endpoint.own>:8443',
    },
  ]);
});

test('tells how an address list changed, with its version', () => {
  const list = (version: string, ...cidrs: string[]) => ({
    resource: {
      volcenginecc_vpc_prefix_list: {
        own: {
          prefix_list_entries: cidrs.map((cidr) => ({ cidr })),
          tags: [{ key: 'list-version', value: version }],
        },
      },
    },
  });
  const { addressLists } = reviewOfTerraform(
    list('2030-01-01', '192.0.2.1/32', '192.0.2.2/32'),
    list('2030-06-01', '192.0.2.2/32', '192.0.2.3/32'),
  );
  expect(addressLists).toEqual([
    {
      stack: 'api-access',
      list: 'volcenginecc_vpc_prefix_list.own',
      versionWas: '2030-01-01',
      versionNow: '2030-06-01',
      added: ['192.0.2.3'],
      removed: ['192.0.2.1'],
    },
  ]);
});

describe('steps that remain for a person', () => {
  const textsOf = (base: Record<string, unknown>, head: Record<string, unknown>) =>
    reviewOfTerraform(base, head).steps.map(({ when, text }) => `${when}: ${text.slice(0, 40)}`);

  test('none where nothing changed', () => {
    expect(textsOf(STACK, STACK)).toEqual([]);
  });

  test('of a new private plugin, in the order of the service', () => {
    expect(textsOf(without('volcenginecc_privatelink_endpoint_service'), STACK)).toEqual([
      'before the deploy: Make sure that the enterprise has the fl',
      "after the deploy: In the service's console, under organiza",
      'after the deploy: Put the endpoint id of the pending conne',
      'after the deploy: When the private connection is shown as ',
    ]);
  });

  test('of a replacement: who must be informed and what allowed beforehand', () => {
    const head = changed({ volcenginecc_privatelink_vpc_endpoint: { own: { service_name: 'b' } } });
    expect(textsOf(STACK, head)).toEqual([
      'before the deploy: Tell the owners of the clients when the ',
      'before the deploy: Allow the replacement: set `preventDestr',
      'after the deploy: Let clients call the endpoint: its base ',
    ]);
  });

  test('of fixed addresses for plugins: ask first, switch on last', () => {
    const rules = [from('192.0.2.1/32', { via: 'fixed-ip-ingress' })];
    const { steps } = review(treeOf(stackOf([])), treeOf(stackOf(rules)), TODAY);
    expect(steps.map(({ when }) => when)).toEqual([
      'before the deploy',
      'before the deploy',
      'after the deploy',
      'after the deploy',
    ]);
    expect(steps[1]?.text).toContain('Only a cloud-side plugin created from an existing service');
    expect(steps.at(-1)?.text).toContain('turn on fixed-IP calling');
  });
});
