import { describe, expect, test } from 'vitest';
import type { AccessFile } from '../../src/access/access-file.js';
import { checkIntents } from '../../src/intents/read-intents.js';
import { judgeIntents } from '../../src/reach/intents/judge-intents.js';
import { judgedStack } from '../../src/reach/intents/scope.js';
import { readQuestion } from '../../src/reach/questions/read-question.js';
import { reachReport } from '../../src/reach/questions/report.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { reachDocument } from '../../src/reach/reports/document.js';
import { readReached } from '../../src/reach/ways/doors.js';
import { documentAsText } from '../../src/report/text.js';

type Rules = AccessFile['rules'];
const HTTPS = { policy: 'accept', priority: 10, protocol: 'tcp', port_start: 443, port_end: 443 };
const group = (cidr: string) => ({
  vpc_id: 'vpc-1',
  ingress_permissions: [{ ...HTTPS, cidr_ip: cidr }],
});

/** The answer, and the verdicts on both intents about the same packets. */
function ask(resource: object, from: string, to: string, rules: Rules = []) {
  const terraform = readTerraform({ resource });
  const stacks = [
    judgedStack(readReached({ name: 'api', file: 'api', access: { rules }, terraform })),
  ];
  const written = { from, to: `${to}:443`, protocol: 'tcp' };
  const report = reachReport(stacks, { ...written, question: readQuestion(written, stacks) });
  const intents = (['reachable', 'closed'] as const).map((expected) => ({
    ...{ name: expected, from, to, port: 443, expect: expected },
  }));
  const verdicts = judgeIntents(checkIntents({ intents }, 'test'), stacks);
  return {
    answer: report.question?.answer,
    lines: documentAsText(reachDocument(report)).split('\n'),
    verdicts: verdicts.map(({ verdict }) => verdict),
  };
}

const zone = (vpcs: readonly string[], facts: object = {}) => ({
  volcenginecc_vpc_security_group: { own: group('10.0.0.0/16') },
  volcenginecc_privatelink_vpc_endpoint: {
    own: {
      vpc_id: 'vpc-1',
      security_group_ids: ['${volcenginecc_vpc_security_group.own.security_group_id}'],
    },
  },
  volcenginecc_privatezone_private_zone: {
    own: { zone_name: 'api.example.com', vpcs: vpcs.map((id) => ({ vpc_id: `vpc-${id}` })) },
  },
  volcenginecc_privatezone_record: {
    own: {
      zid: '${volcenginecc_privatezone_private_zone.own.zid}',
      ...{ type: 'A', host: '@' },
      value: '${volcenginecc_privatelink_vpc_endpoint.own.zones[0].ip}',
      ...facts,
    },
  },
});

const HOST = 'api.example.com';
const ALL = 'YES: 10.0.0.7 can reach api.example.com:443, at each of its 2 places';
const NONE = 'NO: 10.9.0.7 cannot reach api.example.com:443 at any of its 2 places';

describe('a name with several places is answered for each, as an intent is', () => {
  test.each<[vpcs: string, from: string, headline: string, verdicts: string]>([
    ['3', '10.0.0.7', `PARTLY: 10.0.0.7 can reach ${HOST}:443 at 1 of 2 places`, 'broken,broken'],
    ['1,3', '10.0.0.7', ALL, 'holds,broken'],
    ['1,3', '10.9.0.7', NONE, 'broken,holds'],
    [
      '3',
      '10.0.0.0/15',
      `PARTLY: 10.0.0.0/15 can reach ${HOST}:443 in part at 1 of 2 places`,
      'broken,broken',
    ],
    ['1', '10.0.0.7', `YES: 10.0.0.7 can reach ${HOST}:443`, 'holds,broken'],
  ])('in VPC %s from %s', (vpcs, from, headline, verdicts) => {
    const asked = ask(zone(vpcs.split(',')), from, HOST);
    expect([asked.lines[0], asked.verdicts.join()]).toEqual([headline, verdicts]);
  });

  test('a record that is disabled is the same to both', () => {
    const asked = ask(zone(['1'], { enable: false }), '10.0.0.7', HOST);
    expect([asked.answer, asked.verdicts]).toEqual(['closed', ['broken', 'holds']]);
  });
});

test('two places of one heading name what guards them', () => {
  const stated = (peer: string, name: string): Rules[number] => ({
    ...{ via: 'fixed-ip-ingress', direction: 'ingress', subject: 'orders', reason: 'clients' },
    ...{ protocol: 'tcp', ports: { first: 443, last: 443 }, peer: { kind: 'cidr', cidr: peer } },
    carriers: [`volcenginecc_vpc_security_group.${name}`],
  });
  const resource = {
    volcenginecc_vpc_security_group: { a: group('10.0.0.0/16'), b: group('10.1.0.0/16') },
  };
  const { lines } = ask(resource, '10.0.0.7', 'orders', [
    stated('10.0.0.0/16', 'a'),
    stated('10.1.0.0/16', 'b'),
  ]);
  expect(lines[0]).toBe('PARTLY: 10.0.0.7 can reach orders:443 at 1 of 2 places');
  expect(lines.filter((line) => line.startsWith('  orders'))).toEqual([
    '  orders, in vpc-1 (api), by security group a: YES',
    '  orders, in vpc-1 (api), by security group b: NO',
  ]);
});
