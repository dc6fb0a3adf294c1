import { describe, expect, test } from 'vitest';
import { EVERY_OPTION, STACKS, synthesized } from './every-option.js';

type Permission = Record<string, unknown>;

const EVERYONE = ['0.0.0.0/0', '::/0'];

describe.each(Object.keys(STACKS) as (keyof typeof STACKS)[])('in %s', (stack) => {
  const { json, text } = synthesized(stack);
  const all = (type: string) => Object.values(json.resource?.[`volcenginecc_${type}`] ?? {});
  const permissions = all('vpc_security_group').flatMap((group) =>
    [group.ingress_permissions, group.egress_permissions].flatMap((rules) =>
      Array.isArray(rules) ? (rules as Permission[]) : [],
    ),
  );
  const accepted = permissions.filter(({ policy }) => policy === 'accept');
  const policies = all('fwcenter_control_policy').filter(({ action }) => action === 'accept');

  test('every accepted peer of a security group is named, and is not everyone', () => {
    expect(accepted.length).toBeGreaterThan(0);
    for (const rule of accepted) {
      const peers = [rule.cidr_ip, rule.prefix_list_id, rule.source_group_id].filter(Boolean);
      expect(peers).toHaveLength(1);
      expect(EVERYONE).not.toContain(peers[0]);
    }
  });

  test('no accepted rule is open for all ports or protocols', () => {
    for (const { protocol, port_start, port_end } of accepted) {
      expect(protocol).not.toBe('all');
      expect(Number(port_start)).toBeGreaterThan(0);
      expect(port_end).toBe(port_start);
    }
    for (const { proto, dest_port } of policies) {
      expect(proto).not.toBe('ANY');
      expect(dest_port).toMatch(/^\d+$/);
    }
  });

  test('every security group writes both directions, and closes the one that it opens outward', () => {
    for (const { ingress_permissions, egress_permissions } of all('vpc_security_group')) {
      const [inward, outward] = [ingress_permissions, egress_permissions] as Permission[][];
      expect(inward).not.toEqual([]);
      expect(outward).not.toEqual([]);
      if (outward?.every(({ policy }) => policy === 'drop')) continue;
      const drops = outward?.filter(
        ({ policy, protocol }) => `${policy} ${protocol}` === 'drop all',
      );
      expect(drops?.map(({ cidr_ip }) => cidr_ip)).toEqual(EVERYONE);
    }
  });

  test('no accept policy of the firewall is for everyone, and a deny follows', () => {
    for (const { source, destination } of policies) {
      expect(EVERYONE).not.toContain(source);
      expect(EVERYONE).not.toContain(destination);
    }
    const denies = all('fwcenter_control_policy').filter(({ action }) => action === 'deny');
    expect(denies.length).toBeGreaterThanOrEqual(policies.length);
    expect(denies.map(({ prio }) => prio)).toEqual(denies.map(() => 0));
  });

  test('no list of peers holds everyone', () => {
    for (const list of all('vpc_prefix_list')) {
      const entries = list.prefix_list_entries as { cidr: string }[];
      expect(entries.filter(({ cidr }) => EVERYONE.includes(cidr))).toEqual([]);
    }
    for (const acl of all('clb_acl')) {
      expect(acl.acl_entries).toEqual([expect.objectContaining({ entry: '100.64.0.0/10' })]);
    }
    for (const book of all('fwcenter_address_book')) {
      const entries = book.address_detail_list as { address: string }[];
      expect(entries.filter(({ address }) => EVERYONE.includes(address))).toEqual([]);
    }
  });

  test('an endpoint service permits exactly one account, and accepts nothing by itself', () => {
    for (const service of all('privatelink_endpoint_service')) {
      expect(service.permit_account_ids).toEqual([expect.stringMatching(/^\d+$/)]);
      expect(service.auto_accept_enabled).toBe(false);
    }
  });

  test('every load balancer is private, and every listener has its list on', () => {
    for (const balancer of all('clb_clb')) {
      expect(balancer.type).toBe('private');
      expect(balancer).not.toHaveProperty('eip');
    }
    for (const listener of all('clb_listener')) {
      expect(listener).toMatchObject({ acl_status: 'on', acl_type: 'white' });
    }
  });

  test('what cannot be made again is kept from destroy', () => {
    const kept = [...all('privatelink_vpc_endpoint'), ...all('privatelink_endpoint_service')];
    expect(kept).toHaveLength(1);
    expect(kept[0]?.lifecycle).toMatchObject({ prevent_destroy: true });
  });

  test('everything that can have tags has owner and ticket', () => {
    const untaggable = /fwcenter|endpoint_connection|privatezone_record/;
    for (const [type, named] of Object.entries(json.resource ?? {})) {
      if (untaggable.test(type) || !type.startsWith('volcenginecc_')) continue;
      for (const [name, { tags }] of Object.entries(named)) {
        expect(tags, `${type}.${name}`).toEqual(
          expect.arrayContaining([
            { key: 'owner', value: 'platform' },
            { key: 'ticket', value: 'NET-1' },
          ]),
        );
      }
    }
  });

  test('there is no secret and no path of this machine', () => {
    expect(text).not.toMatch(/PRIVATE KEY|secret_key|access_key|eyJ[\w-]+\./);
    expect(text.match(/"\/[^"/]+\/[^"]*"/g)).toBeNull();
  });

  test('the order of the settings changes no byte', () => {
    expect(synthesized(stack, reversed(EVERY_OPTION) as object).text).toBe(text);
  });
});

describe('the user ID header', () => {
  test('is refused where nothing guards the backend that reads it', () => {
    expect(() =>
      synthesized('plugin-access', { ...EVERY_OPTION, userIdHeader: { backend: 'billing' } }),
    ).toThrow('the header is unsigned, so any client that reaches the backend can forge it');
  });

  test('is refused alone', () => {
    const { pluginEndpointService: _, fixedIpIngress: __, ...rest } = EVERY_OPTION;
    expect(() => synthesized('plugin-access', rest)).toThrow(
      'guard protects (none is), got: "orders"',
    );
  });
});

test('a stack without options has nothing to deploy', () => {
  const bare = { region: 'cn-beijing', apiHost: 'api.example.com' };
  for (const stack of Object.keys(STACKS) as (keyof typeof STACKS)[]) {
    expect(synthesized(stack, bare).json.resource).toBeUndefined();
  }
});

/** The same settings with every list and every object the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed).reverse();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, reversed(inner)] as const)
      .reverse(),
  );
}
