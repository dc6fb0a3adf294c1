import { TerraformResource, TerraformStack } from 'cdktf';
import { describe, expect, test } from 'vitest';
import { PluginEndpointService } from '../../src/constructs/plugin-endpoint-service/plugin-endpoint-service.js';
import { expectAccess } from '../../src/testing/index.js';
import { overridden } from '../support/overridden-endpoint.js';
import { testingApp } from '../support/testing-app.js';

const LISTED = { from: '10.30.1.0/24', port: 443 };

/** Every resource of a stack whose type ends with a word. */
function ofType(stack: TerraformStack, end: string): TerraformResource[] {
  return stack.node
    .findAll()
    .filter(TerraformResource.isTerraformResource)
    .filter(({ terraformResourceType: type }) => type.endsWith(end));
}

describe('a resource of which there is none, or may be none, lets nobody through', () => {
  test.each([
    ['vpc_endpoint', 0],
    ['vpc_endpoint', '${var.many}'],
    ['vpc_security_group', 0],
  ])('%s, count %s', (type, count) => {
    const access = overridden(['10.30.1.0/24'], (group) => {
      for (const one of ofType(group.cdktfStack, type)) one.addOverride('count', count);
    });
    expect(() => access.toAllow({ ...LISTED, subject: 'service' })).toThrow('no rule allows');
    expect(() => access.toAllow(LISTED)).toThrow('no rule allows');
  });

  test.each<[type: string, path: string, value: unknown, stays: (0 | 1)[]]>([
    ['endpoint_service', 'count', 0, []],
    ['endpoint_service', 'count', '${var.many}', []],
    ['endpoint_service', 'for_each', '${var.all}', []],
    ['endpoint_service', 'permit_account_ids.0', '${var.account}', [1]],
    ['endpoint_connection', 'count', 0, [0]],
    ['endpoint_connection', 'endpoint_id', '${var.endpoint}', [0]],
    ['endpoint_connection', 'service_id', '${var.service}', [0]],
  ])('%s, %s %s', (type, path, value, stays) => {
    const own = new TerraformStack(testingApp(), 'test');
    new PluginEndpointService(own, 'plugin', {
      ...{ name: 'orders', backend: 'orders', serviceAccountId: '2100000001', payer: 'Endpoint' },
      loadBalancer: { loadBalancerId: 'clb-1', port: 443 },
      acceptedEndpointIds: ['ep-1'],
    });
    const both = [{ account: '2100000001' }, { endpoint: 'ep-1' }] as const;
    for (const from of both) expectAccess(own).toAllow({ from, port: 443 });
    for (const one of ofType(own, type)) one.addOverride(path, value);
    const allowed = both.filter((from) => isAllowed(own, from));
    expect(allowed).toEqual(stays.map((which) => both[which]));
  });
});

test('a group that an interface has lets its clients through, without an endpoint as well', () => {
  const access = overridden(['10.30.1.0/24'], (group) => {
    const { cdktfStack: stack, friendlyUniqueId: id } = group;
    for (const one of ofType(stack, 'vpc_endpoint')) one.addOverride('count', 0);
    stack.addOverride('resource.volcenginecc_vpc_eni.server', {
      security_group_ids: [`\${volcenginecc_vpc_security_group.${id}.security_group_id}`],
    });
  });
  access.toAllow(LISTED);
});

function isAllowed(stack: TerraformStack, from: { account: string } | { endpoint: string }) {
  try {
    expectAccess(stack).toAllow({ from, port: 443 });
    return true;
  } catch (error) {
    expect(String(error)).toContain('no rule allows');
    return false;
  }
}
