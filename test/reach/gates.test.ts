import { describe, expect, test } from 'vitest';
import { readQuestion } from '../../src/reach/questions/read-question.js';
import { reachReport } from '../../src/reach/questions/report.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { reachDocument } from '../../src/reach/reports/document.js';
import { readReached } from '../../src/reach/ways/doors.js';
import { documentAsText } from '../../src/report/text.js';

const ENTRY = { policy: 'accept', priority: 10, protocol: 'tcp', port_start: 443, port_end: 443 };
const ENDPOINT = 'volcenginecc_privatelink_vpc_endpoint.own';
const ZONE = 'volcenginecc_privatezone_private_zone.own';
const GROUP = 'volcenginecc_vpc_security_group.own';

const api = (endpoint: object = {}, vpcs: readonly object[] = [{ vpc_id: 'vpc-1' }]) => ({
  volcenginecc_vpc_security_group: {
    own: { vpc_id: 'vpc-1', ingress_permissions: [{ ...ENTRY, cidr_ip: '10.0.0.0/16' }] },
  },
  volcenginecc_privatelink_vpc_endpoint: {
    own: { vpc_id: 'vpc-1', security_group_ids: [`\${${GROUP}.id}`], ...endpoint },
  },
  volcenginecc_privatezone_private_zone: { own: { zone_name: 'api.example.com', vpcs } },
  volcenginecc_privatezone_record: {
    own: {
      type: 'A',
      zid: `\${tonumber(${ZONE}.zid)}`,
      host: '@',
      value: `\${${ENDPOINT}.zones[0].ip}`,
    },
  },
});

const servers = (...all: readonly object[]) => ({
  volcenginecc_clb_clb: { own: { type: 'private', vpc_id: 'vpc-2' } },
  volcenginecc_clb_server_group: { own: { servers: all } },
  volcenginecc_clb_listener: {
    own: {
      ...{ protocol: 'TCP', port: 443, acl_status: 'off' },
      load_balancer_id: '${volcenginecc_clb_clb.own.id}',
      server_group_id: '${volcenginecc_clb_server_group.own.server_group_id}',
    },
  },
});

/** The answers, VPC by VPC, each with all deciding rules in order. */
function ask(...asked: Parameters<typeof reportOf>) {
  return reportOf(...asked).question?.places.map((place) => [
    `${place.vpc} ${place.answer}`,
    ...place.rules.map(({ effect, rule }) => `${effect}: ${rule}`),
    ...place.depends,
  ]);
}

function reportOf(resource: object, to: string, from = '10.0.0.7', vpc?: string) {
  const written = { from, to, protocol: 'tcp', ...(vpc !== undefined && { vpc }) };
  const stack = { name: 'api', file: 'cdk.tf.json', terraform: readTerraform({ resource }) };
  const reached = [readReached(stack)];
  return reachReport(reached, { ...written, question: readQuestion(written, reached) });
}

const ACCEPTED = 'accept: rule 1 of 1 for 10.0.0.0/16 on tcp 443, accept at priority 10: ';
const RESOLVED = 'accept: api.example.com resolves to the endpoint in this VPC';
const PUBLIC = 'drop: api.example.com resolves to the public address in this VPC';
const CONNECTED = 'accept: the connection is accepted';

test('a name, the connection and the rules of a group are passed in this order', () => {
  const connected = api({ connection_status: 'Connected' });
  expect(ask(connected, 'api.example.com:443')).toEqual([
    ['vpc-1 reachable', RESOLVED, CONNECTED, ACCEPTED],
  ]);
});

test.each<[what: string, resource: object, vpc: string | undefined, answers: string[][]]>([
  ['a VPC that the zone is not bound to', api(), 'vpc-9', [['vpc-9 closed', PUBLIC]]],
  [
    'VPCs apart, those of the zone and that of the endpoint',
    api({}, [{ vpc_id: 'vpc-3' }]),
    undefined,
    [
      ['vpc-3 reachable', RESOLVED, ACCEPTED],
      ['vpc-1 closed', PUBLIC],
    ],
  ],
  [
    'a zone whose VPCs are not known',
    api({}, [{ vpc_id: '${var.network}' }]),
    'vpc-1',
    [['vpc-1 undecided', PUBLIC.replace('drop', 'accept'), ACCEPTED, `Is ${ZONE} bound to vpc-1?`]],
  ],
])('a name is resolved by %s', (_, resource, vpc, answers) => {
  expect(ask(resource, 'api.example.com:443', '10.0.0.7', vpc)).toEqual(answers);
});

describe('of two private zones of one name', () => {
  const two = (vpcs: readonly object[], value: string) => {
    const { volcenginecc_privatezone_private_zone: zones, ...resource } = api();
    const { volcenginecc_privatezone_record: records, ...others } = resource;
    const other = ZONE.replace('.own', '.other');
    return {
      ...others,
      volcenginecc_privatezone_private_zone: {
        ...zones,
        other: { zone_name: 'api.example.com', vpcs },
      },
      volcenginecc_privatezone_record: {
        ...records,
        other: { type: 'A', zid: `\${tonumber(${other}.zid)}`, host: '@', value },
      },
    };
  };
  const HERE = `\${${ENDPOINT}.zones[0].ip}`;

  test('each counts in its own VPC', () => {
    expect(ask(two([{ vpc_id: 'vpc-3' }], HERE), 'api.example.com:443')).toEqual([
      ['vpc-3 reachable', RESOLVED, ACCEPTED],
      ['vpc-1 reachable', RESOLVED, ACCEPTED],
    ]);
  });

  test('which one counts in a VPC of both is not known, where they differ', () => {
    const [answer = []] = ask(two([{ vpc_id: 'vpc-1' }], '10.9.9.9'), 'api.example.com:443') ?? [];
    expect(answer[0]).toBe('vpc-1 undecided');
    expect(answer.at(-1)).toBe(
      `Which private zone of one name counts in vpc-1: ${ZONE.replace('.own', '.other')} or ${ZONE}?`,
    );
  });
});

test.each([
  ['without the name', { zone_name: 'a.example.com' }, 'closed'],
  [
    'without the name that asks the internet',
    { zone_name: 'a.example.com', recursion_mode: true },
    'closed',
  ],
  ['of another VPC', { zone_name: 'a.example.com', vpcs: [{ vpc_id: 'vpc-3' }] }, 'reachable'],
  ['of another name', { zone_name: 'b.example.com' }, 'reachable'],
])('a closer zone %s decides where it is bound', (_, closer, answer) => {
  const { volcenginecc_privatezone_record: records, ...resource } = api();
  const vpcs = [{ vpc_id: 'vpc-1' }];
  const zones = { own: { zone_name: 'example.com', vpcs }, closer: { vpcs, ...closer } };
  const tree = {
    ...resource,
    volcenginecc_privatezone_private_zone: zones,
    volcenginecc_privatezone_record: { own: { ...records.own, host: 'x.a' } },
  };
  const [first = []] = ask(tree, 'x.a.example.com:443') ?? [];
  expect(first[0]).toBe(`vpc-1 ${answer}`);
  const says = 'drop: x.a.example.com does not resolve to the endpoint in this VPC';
  expect(first.includes(says)).toBe(answer === 'closed');
});

test('the endpoint itself is called without that name', () => {
  expect(ask(api({}, []), `${ENDPOINT}:443`)).toEqual([['vpc-1 reachable', ACCEPTED]]);
});

test.each([
  'PendingAcceptance',
  'Rejected',
  'Failed',
])('a connection that is %s lets nobody in', (status) => {
  expect(ask(api({ connection_status: status }), `${ENDPOINT}:443`)).toEqual([
    ['vpc-1 closed', `drop: the endpoint's connection is not accepted: ${status}`],
  ]);
});

test('what a name leads to is closed for others by the rules as before', () => {
  expect(ask(api(), 'api.example.com:443', '10.9.0.1')).toEqual([['vpc-1 closed', RESOLVED]]);
  expect(
    documentAsText(reachDocument(reportOf(api(), 'api.example.com:443', '10.9.0.1'))),
  ).toContain('2. no rule of endpoint own decides');
});

const LISTENER = 'volcenginecc_clb_listener.own';
const OPEN = 'accept: no access list';
const EMPTY = 'drop: no server of it gets calls';

test.each<[what: string, servers: object[], answer: string, last: string]>([
  [
    'with a server',
    [{ ip: '10.40.1.5', port: 8080, weight: 100 }],
    'reachable',
    'accept: calls go to 10.40.1.5:8080',
  ],
  ['without any', [], 'closed', EMPTY],
  ['with one that gets no calls', [{ ip: '10.40.1.5', port: 8080, weight: 0 }], 'closed', EMPTY],
])('a listener is followed by its backend group: %s', (_, all, answer, last) => {
  expect(ask(servers(...all), `${LISTENER}:443`)).toEqual([[`vpc-2 ${answer}`, OPEN, last]]);
});

test('whether calls get to a server of a backend group that states none is in doubt', () => {
  const elsewhere = { ...servers(), volcenginecc_clb_server_group: { own: {} } };
  expect(ask(elsewhere, `${LISTENER}:443`)).toEqual([
    [
      'vpc-2 undecided',
      OPEN,
      'drop: no server is stated',
      'accept: calls go to some server',
      'Which servers does volcenginecc_clb_server_group.own have?',
    ],
  ]);
});

const SERVER = { ip: '10.40.1.5', port: 8080, weight: 100 };
const FROM_BALANCER = { ...ENTRY, port_start: 8080, port_end: 8080, cidr_ip: '100.64.0.0/10' };
const HALF = { ...FROM_BALANCER, cidr_ip: '100.64.0.0/11' };
const OUT = { egress_permissions: [{ ...ENTRY, cidr_ip: '203.0.113.7/32' }] };

const behind = (group: object, more: object = {}, ...all: readonly object[]) => ({
  ...servers(SERVER, ...all),
  volcenginecc_vpc_security_group: { own: { vpc_id: 'vpc-2', ...group } },
  ...more,
});
/** The group is on the interface of the first server, so that it is known to be its own. */
const known = (...rules: readonly object[]): [group: object, more: object] => [
  { vpc_id: 'vpc-3', ingress_permissions: rules },
  {
    volcenginecc_vpc_eni: {
      own: {
        primary_ip_address: { private_ip_address: SERVER.ip },
        security_group_ids: [`\${${GROUP}.id}`],
      },
    },
  },
];
const CALLS = 'accept: calls go to 10.40.1.5:8080';
const ENI = 'volcenginecc_vpc_eni.own';
const refusal = (carrier: string) => `${carrier} does not let 100.64.0.0/10 in to 10.40.1.5:8080`;
const UNSURE =
  'Do other rules let 100.64.0.0/10 in to the servers of volcenginecc_clb_server_group.own?';

test.each<[what: string, resource: object, rest: string[]]>([
  [
    'a group of their network lets the balancer in',
    behind({ ingress_permissions: [FROM_BALANCER] }),
    ['vpc-2 reachable', OPEN, CALLS],
  ],
  [
    'a group of their network lets in only half of its addresses',
    behind({ ingress_permissions: [HALF] }),
    ['vpc-2 undecided', OPEN, `drop: ${refusal(GROUP)}`, CALLS, UNSURE],
  ],
  [
    'a group of their network that is for ways out alone says nothing of them',
    behind(OUT),
    ['vpc-2 reachable', OPEN, CALLS],
  ],
  [
    'a group of another network says nothing of them',
    behind({ vpc_id: 'vpc-9', ingress_permissions: [HALF] }),
    ['vpc-2 reachable', OPEN, CALLS],
  ],
  [
    'the group of their interface lets the balancer in',
    behind(...known(FROM_BALANCER)),
    ['vpc-2 reachable', OPEN, CALLS],
  ],
  [
    'the group of their interface lets in only half of its addresses',
    behind(...known(HALF)),
    ['vpc-2 closed', OPEN, `drop: ${refusal(ENI)}`],
  ],
  [
    'of two servers one is let in to',
    behind(...known(HALF), { ...SERVER, ip: '10.40.1.6' }),
    ['vpc-2 reachable', OPEN, 'accept: calls go to 10.40.1.6:8080'],
  ],
])('a listener is followed by the groups of its servers: %s', (_, resource, answer) => {
  expect(ask(resource, `${LISTENER}:443`)).toEqual([answer]);
});

const ACL = 'volcenginecc_vpc_network_acl.own';
const DROP = { policy: 'drop', protocol: 'tcp', port: '8080', cidr_ip: '100.96.0.0/11' };
const MAYBE = `Do other rules let 100.64.0.0/10 in to the servers of volcenginecc_clb_server_group.own?`;

/** The server stands in a subnet that an ACL guards, or another does. */
const inSubnet = (entry: object, guarded: string, stands: object) => ({
  ...behind(...known(FROM_BALANCER)),
  volcenginecc_vpc_network_acl: {
    own: {
      ...{ vpc_id: 'vpc-2', resources: [{ resource_id: guarded }] },
      ...{ ingress_acl_entries: [entry], egress_acl_entries: [] },
    },
  },
  ...stands,
});
const onInterface = {
  volcenginecc_vpc_eni: {
    own: {
      ...{ primary_ip_address: { private_ip_address: SERVER.ip }, subnet_id: 'subnet-1' },
      security_group_ids: [`\${${GROUP}.id}`],
    },
  },
};
const byAddress = {
  volcenginecc_vpc_eni: {},
  volcenginecc_vpc_subnet: { own: { vpc_id: 'vpc-2', cidr_block: '10.40.1.0/24' } },
};
const SUBNET = '${volcenginecc_vpc_subnet.own.subnet_id}';

test.each<[what: string, resource: object, answer: string[]]>([
  [
    'drops half of the addresses of the balancer',
    inSubnet(DROP, 'subnet-1', onInterface),
    ['vpc-2 closed', OPEN, `drop: ${refusal(`network ACL ${ACL}`)}`],
  ],
  [
    'drops another port',
    inSubnet({ ...DROP, port: '9090' }, 'subnet-1', onInterface),
    ['vpc-2 undecided', OPEN, `drop: ${refusal(`network ACL ${ACL}`)}`, CALLS, MAYBE],
  ],
  [
    'is that of another subnet',
    inSubnet(DROP, 'subnet-9', onInterface),
    ['vpc-2 reachable', OPEN, CALLS],
  ],
  [
    'drops calls to the address of the server, whose groups are not known',
    inSubnet(DROP, SUBNET, byAddress),
    ['vpc-2 closed', OPEN, `drop: ${refusal(`network ACL ${ACL}`)}`],
  ],
  [
    'may be that of a server whose subnet is not known',
    inSubnet(DROP, 'subnet-1', { volcenginecc_vpc_eni: {} }),
    ['vpc-2 undecided', OPEN, `drop: ${refusal(`network ACL ${ACL}`)}`, CALLS, MAYBE],
  ],
])('a listener is followed by the ACL of the subnet of its server, which %s', (_, resource, answer) => {
  expect(ask(resource, `${LISTENER}:443`)).toEqual([answer]);
});

const stated = (subject: string, port: number) => ({
  ...{ via: 'plugin-endpoint-service', direction: 'ingress' as const, subject, protocol: 'tcp' },
  reason: '',
  ...{ peer: { kind: 'cidr', cidr: '100.64.0.0/10' }, ports: { first: port, last: port } },
});

test.each<[what: string, backend: string, group: object, answer: string]>([
  ['the group of the backend lets the calls in', 'orders', {}, 'reachable'],
  // It does not carry the rule that names it, so that another group may.
  ['that group closes half', 'orders', { ingress_permissions: [HALF] }, 'undecided'],
  ['that group is in another network', 'orders', { vpc_id: 'vpc-9' }, 'reachable'],
  ['the group is that of another backend', 'bills', {}, 'reachable'],
])('access rules name the group of the servers: %s', (_, backend, group, answer) => {
  const resource = behind({ ingress_permissions: [FROM_BALANCER], ...group });
  const rules = [
    { ...stated('orders-listener', 443), carriers: [LISTENER] },
    { ...stated(backend, 8080), carriers: [GROUP] },
  ];
  const written = { from: '100.64.0.1', to: `${LISTENER}:443`, protocol: 'tcp' };
  const terraform = readTerraform({ resource });
  const reached = readReached({ name: 'api', file: '', terraform, access: { rules } });
  const { question } = reachReport([reached], {
    ...written,
    question: readQuestion(written, [reached]),
  });
  expect(question?.answer).toBe(answer);
});

describe('a name that only other records lead to the endpoint', () => {
  const ALIAS = { type: 'CNAME', zid: `\${tonumber(${ZONE}.zid)}` };
  const withRecords = (records: object) => {
    const { volcenginecc_privatezone_record: own, ...resource } = api();
    return { ...resource, volcenginecc_privatezone_record: { ...own, ...records } };
  };
  const first = (tree: object, to: string) => ask(tree, to)?.map(([place]) => place);

  test.each([
    [
      'an alias of it',
      'www.api.example.com',
      { www: { ...ALIAS, host: 'www', value: 'API.example.com.' } },
    ],
    [
      'an alias of an alias',
      'a.api.example.com',
      {
        a: { ...ALIAS, host: 'a', value: 'b.api.example.com' },
        b: { ...ALIAS, host: 'b', value: 'api.example.com' },
      },
    ],
    [
      'an alias of the domain of the endpoint',
      'www.api.example.com',
      {
        www: { ...ALIAS, host: 'www', value: `\${${ENDPOINT}.endpoint_domain}` },
      },
    ],
    [
      'a wildcard',
      'any.where.api.example.com',
      {
        all: { ...ALIAS, type: 'A', host: '*', value: `\${${ENDPOINT}.zones[0].ip}` },
      },
    ],
    ['the name in capitals', 'API.Example.com', {}],
  ])('%s', (_, name, records) => {
    expect(first(withRecords(records), `${name}:443`)).toEqual(['vpc-1 reachable']);
  });

  test('an alias of another name, and a name of its own below a wildcard, do not', () => {
    const all = { ...ALIAS, type: 'A', host: '*', value: `\${${ENDPOINT}.zones[0].ip}` };
    const own = { ...ALIAS, type: 'A', host: 'own', value: '10.9.9.9' };
    expect(first(withRecords({ all, own }), 'own.api.example.com:443')).toEqual(['vpc-1 closed']);
    const other = { ...ALIAS, host: 'other', value: 'api.example.org' };
    expect(() => first(withRecords({ other }), 'other.api.example.com:443')).toThrow(
      /must be one of/,
    );
  });

  test('one name below a wildcard that leads to another endpoint is asked there alone', () => {
    const { volcenginecc_privatelink_vpc_endpoint: endpoints, ...resource } = withRecords({
      all: { ...ALIAS, type: 'A', host: '*', value: `\${${ENDPOINT}.zones[0].ip}` },
      one: {
        ...ALIAS,
        type: 'A',
        host: 'one',
        value: '${volcenginecc_privatelink_vpc_endpoint.other.zones[0].ip}',
      },
    });
    const tree = {
      ...resource,
      volcenginecc_privatelink_vpc_endpoint: {
        ...endpoints,
        other: { ...endpoints.own, vpc_id: 'vpc-1' },
      },
    };
    expect(first(tree, 'one.api.example.com:443')).toEqual(['vpc-1 reachable']);
    expect(first(tree, 'two.api.example.com:443')).toEqual(['vpc-1 reachable']);
  });

  test('a disabled alias is an answer', () => {
    const www = { ...ALIAS, host: 'www', value: 'api.example.com', enable: false };
    expect(ask(withRecords({ www }), 'www.api.example.com:443')).toEqual([
      ['vpc-1 closed', 'drop: the record of www.api.example.com is disabled'],
    ]);
  });
});

const SECOND = { type: 'A', zid: `\${tonumber(${ZONE}.zid)}`, host: '@' };

test.each<[what: string, record: object, answers: string[]]>([
  [
    'an address that no endpoint has',
    { ...SECOND, value: '10.0.0.99' },
    ['undecided', 'Does 10.0.0.99 answer, to which api.example.com leads too?'],
  ],
  [
    'an address that only the deploy knows',
    { ...SECOND, value: '${var.other}' },
    [
      'undecided',
      'Does the value of volcenginecc_privatezone_record.second answer, to which api.example.com leads too?',
    ],
  ],
  [
    'another address of the same endpoint',
    { ...SECOND, value: `\${${ENDPOINT}.zones[1].ip}` },
    ['reachable'],
  ],
  ['a record that is disabled', { ...SECOND, value: '10.0.0.99', enable: false }, ['reachable']],
  ['a text', { ...SECOND, type: 'TXT', value: 'v=1' }, ['reachable']],
])('a name that leads to an endpoint and to %s too', (_, second, [answer, ...depends]) => {
  const own = api();
  const records = { ...own.volcenginecc_privatezone_record, second };
  const resource = { ...own, volcenginecc_privatezone_record: records };
  expect(reportOf(resource, 'api.example.com:443').question?.places).toMatchObject([
    { answer, depends },
  ]);
});
