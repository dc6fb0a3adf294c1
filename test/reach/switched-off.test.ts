import { expect, test } from 'vitest';
import { readQuestion } from '../../src/reach/questions/read-question.js';
import { reachReport } from '../../src/reach/questions/report.js';
import { placeLines } from '../../src/reach/reports/document.js';
import { readReached } from '../../src/reach/ways/doors.js';
import { from, stackOf } from '../review/trees.js';

/** Asks about one stack, and gives the answer with the lines below it. */
function ask(resource: Record<string, unknown>, to: string, stated = [from('10.0.0.0/16')]) {
  const stack = readReached({ ...stackOf(stated, { resource }), file: 'api' });
  const written = { from: '10.0.1.1', to, protocol: 'tcp' };
  const question = readQuestion(written, [stack]);
  const { question: answered } = reachReport([stack], { ...written, question });
  return [answered?.answer, ...(answered?.places ?? []).flatMap((place) => placeLines(place))].join(
    '\n',
  );
}

const LISTENER = 'volcenginecc_clb_listener.listener';
const STATED = from('0.0.0.0/0', {
  ...{ via: 'plugin-endpoint-service', subject: 'orders-listener', carriers: [LISTENER] },
});

test.each<[facts: Record<string, unknown>, name: string]>([
  [{}, 'orders-listener'],
  [{}, LISTENER],
  [{ acl_status: 'on', acl_type: 'white', acl_ids: ['acl-1'] }, LISTENER],
  [{ acl_status: 'on', acl_type: 'black', acl_ids: ['acl-1'] }, LISTENER],
])('a listener that is off lets nobody through, and says so: %j, %s', (facts, name) => {
  const listener = { load_balancer_id: 'clb-1', protocol: 'TCP', port: 443, enabled: 'off' };
  const asked = (more: object) =>
    ask({ volcenginecc_clb_listener: { listener: { ...listener, ...more } } }, `${name}:443`, [
      STATED,
    ]);
  expect(asked(facts)).toContain('closed\ndrop by volcenginecc_clb_listener.listener');
  expect(asked(facts)).toContain(': the listener is off');
  expect(asked({ enabled: 'on' })).toMatch(/^reachable\naccept by/);
});

test('a listener whose port only a deploy knows is in doubt', () => {
  const listener = { load_balancer_id: 'clb-1', protocol: 'TCP', port: '${var.port}' };
  const resource = { volcenginecc_clb_listener: { listener } };
  expect(ask(resource, 'orders-listener:443', [STATED])).toMatch(
    /^undecided\n[\s\S]*depends on: Whom does volcenginecc_clb_listener\.listener admit, and where\?$/,
  );
});

const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint';

function zoneWith(records: Readonly<Record<string, object>>) {
  const address = `\${${ENDPOINT}.endpoint.zones[0].private_ip_address}`;
  const own = Object.entries(records).map(([host, facts]) => [
    host === '*' ? 'any' : host,
    { zid: `\${volcenginecc_privatezone_private_zone.zone.zid}`, host, type: 'A', ...facts },
  ]);
  const withValue = own.map(([name, body]) => [name, { value: address, ...Object(body) }]);
  return {
    volcenginecc_vpc_security_group: {
      group: {
        vpc_id: 'vpc-1',
        ingress_permissions: [
          ...[{ description: '', policy: 'accept', priority: 1, protocol: 'tcp' }].map((rule) => ({
            ...{ ...rule, port_start: 443, port_end: 443, cidr_ip: '10.0.0.0/16' },
          })),
        ],
      },
    },
    [ENDPOINT]: {
      endpoint: {
        vpc_id: 'vpc-1',
        security_group_ids: ['${volcenginecc_vpc_security_group.group.security_group_id}'],
        zones: [{ subnet_id: 'subnet-1' }],
      },
    },
    volcenginecc_privatezone_private_zone: {
      zone: { zone_name: 'example.com', vpcs: [{ vpc_id: 'vpc-1' }] },
    },
    volcenginecc_privatezone_record: Object.fromEntries(withValue),
  };
}

test('a record that is disabled leads nobody to its endpoint, and says so', () => {
  expect(ask(zoneWith({ api: {} }), 'api.example.com:443')).toMatch(/^reachable\n/);
  expect(ask(zoneWith({ api: { enable: false } }), 'api.example.com:443')).toMatch(
    /^closed\ndrop by .*: the record of api\.example\.com is disabled$/,
  );
});

test('a disabled record in whose place another answers leads where that one does', () => {
  const disabled = { api: { enable: false } };
  const inPlace = (records: object) =>
    ask(zoneWith({ ...disabled, ...records }), 'api.example.com:443');
  expect(inPlace({ '*': {} })).toMatch(/^reachable\n/);
  expect(inPlace({ '*': { value: '10.9.9.9' } })).toMatch(/^closed\n.* does not resolve to the /);
});
