import { expect, test } from 'vitest';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { ResourceIndex } from '../../src/reach/rules/reading.js';
import { differingZones, resolveName } from '../../src/reach/ways/resolve-name.js';

const zone = (zone_name: string, vpc_id: string, recursion_mode = false) => ({
  ...{ zone_name, recursion_mode },
  vpcs: [{ region: 'cn-beijing', vpc_id }],
});
const record = (of: string, host: string, value: string, more: object = {}) => ({
  ...{ zid: `\${tonumber(volcenginecc_privatezone_private_zone.${of}.zid)}`, host, value },
  ...{ type: 'A', ...more },
});

const INDEX = new ResourceIndex(
  readTerraform({
    resource: {
      volcenginecc_privatezone_private_zone: {
        wide: zone('example.com', 'vpc-a'),
        close: zone('api.example.com', 'vpc-a', true),
        other: zone('example.com', 'vpc-b', true),
        given: { ...zone('given.example', 'vpc-c'), zid: '123' },
      },
      volcenginecc_privatezone_record: {
        api: record('wide', 'api', '10.0.0.1'),
        any: record('wide', '*', '10.0.0.2'),
        close: record('close', '@', '10.0.0.3'),
        off: record('close', 'off', '10.0.0.4', { enable: false }),
        alias: record('other', 'www', 'API.example.com.', { type: 'CNAME' }),
        circle: record('other', 'circle', 'circle.example.com', { type: 'CNAME' }),
        of: { ...record('given', '@', '10.0.0.5'), zid: 123 },
      },
      volcenginecc_privatelink_vpc_endpoint: {
        agents: {
          endpoint_domain: 'ep.service',
          zones: [
            { zone_domain: 'a.ep.service', private_ip_address: '10.0.1.1' },
            { zone_domain: 'b.ep.service', private_ip_address: '10.0.1.2' },
          ],
        },
      },
    },
  }).resources,
);

test.each([
  ['the closest zone of the VPC', 'vpc-a', 'api.example.com', ['10.0.0.3']],
  ['nothing where nobody has it', 'vpc-b', 'none.example', []],
  ['the record for any other name', 'vpc-a', 'www.example.com', ['10.0.0.2']],
  ['nothing that is public at a zone without recursion', 'vpc-a', 'example.com', []],
  ['DNS of others, where a recursive zone has no record', 'vpc-b', 'api.example.com', ['1.1.1.1']],
  ['DNS of others, past a record out of force', 'vpc-a', 'off.api.example.com', ['1.1.1.2']],
  ['an alias', 'vpc-b', 'www.example.com', ['1.1.1.1']],
  ['nothing where aliases go in a circle', 'vpc-b', 'circle.example.com', []],
  ['no zone of another VPC', 'vpc-c', 'api.example.com', ['1.1.1.1']],
  ['a record by the number of its zone', 'vpc-c', 'given.example', ['10.0.0.5']],
  ['a zone that is bound to every VPC', 'vpc-d', 'given.example', ['10.0.0.5']],
  ['an endpoint', 'vpc-c', 'ep.service', ['10.0.1.1', '10.0.1.2']],
  ['a zone of an endpoint', 'vpc-c', 'b.ep.service', ['10.0.1.2']],
])('finds %s', (_, vpc, name, addresses) => {
  const known = new Map([
    ['api.example.com', ['1.1.1.1']],
    ['example.com', ['1.1.1.3']],
    ['off.api.example.com', ['1.1.1.2']],
  ]);
  const asking = { vpcs: [vpc], boundZones: ['123'], elsewhere: (of: string) => known.get(of) };
  expect(resolveName(INDEX, name, asking)).toEqual(addresses);
});

test('of two zones of one name the one that has the name answers, and that they differ is told', () => {
  const two = (value?: string) =>
    new ResourceIndex(
      readTerraform({
        resource: {
          volcenginecc_privatezone_private_zone: {
            first: { ...zone('example.com', 'vpc-a', true), zid: '1' },
            second: { ...zone('example.com', 'vpc-a', true), zid: '2' },
            wide: { ...zone('com', 'vpc-a'), zid: '3' },
          },
          volcenginecc_privatezone_record: {
            second: record('second', 'api', '10.0.0.2'),
            ...(value !== undefined && { first: record('first', 'api', value) }),
          },
        },
      }).resources,
    );
  const ask = (index: ResourceIndex) => {
    const asking = { vpcs: ['vpc-a'], elsewhere: () => ['1.1.1.1'] };
    const name = 'api.example.com';
    return [resolveName(index, name, asking), differingZones(index, name, asking)];
  };
  expect(ask(two())).toEqual([['10.0.0.2'], ['1', '2']]);
  expect(ask(two('10.0.0.1'))).toEqual([['10.0.0.1'], ['1', '2']]);
  expect(ask(two('10.0.0.2'))).toEqual([['10.0.0.2'], []]);
});
