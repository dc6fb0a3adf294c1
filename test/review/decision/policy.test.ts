import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { AccessRule } from '../../../src/access/access-rule.js';
import { CODES, EXIT } from '../../../src/codes/codes.js';
import { exitOf, review } from '../../../src/review/review.js';
import { elsewhere, from, rule, stackOf, TODAY, treeOf } from '../trees.js';

const exception = { reason: 'migration', owner: 'network team', expires: '2030-12-31' };

function judge(rules: readonly AccessRule[], terraform: Record<string, unknown> = {}) {
  const report = review(new Map(), treeOf(stackOf(rules, terraform)), TODAY);
  return { codes: report.violations.map(({ code }) => code), report };
}

describe('forbids by default', () => {
  test.each<[code: string, rules: AccessRule[]]>([
    ['policy.too-open', [from('0.0.0.0/0')]],
    ['policy.too-open', [from('0.0.0.0/1'), from('128.0.0.0/1')]],
    ['policy.too-open', [from('::/0')]],
    ['policy.too-open', [from('10.0.0.0/8', { ports: { first: 1, last: 65535 } })]],
    ['policy.too-open', [from('10.0.0.0/8', { protocol: 'any' })]],
    ['policy.too-open', [from('', { peer: { kind: 'account', account: '*' } })]],
    [
      'policy.too-open',
      [from('192.0.2.1/32', { via: 'fixed-ip-egress', ports: { first: 80, last: 80 } })],
    ],
    ['policy.exception', [{ ...rule, exception: { ...exception, expires: '2030-06-14' } }]],
    ['policy.exception', [{ ...rule, exception: { ...exception, reason: ' ' } }]],
    ['policy.exception', [{ ...rule, exception: { ...exception, owner: '' } }]],
    ['policy.exception', [{ ...rule, exception: { ...exception, expires: '2030-02-30' } }]],
  ])('%s', (code, rules) => {
    const { codes, report } = judge(rules);
    expect(codes).toEqual([code]);
    expect(exitOf(report)).toBe(4);
  });

  test.each([true, '${var.accept}'])('automatic acceptance, got: %s', (value) => {
    const { codes } = judge([], service({ auto_accept_enabled: value }));
    expect(codes).toEqual(['policy.too-open']);
  });

  test('a link that speaks plain HTTP outside the private path', () => {
    const { codes } = judge([], connectivity('fixed-ip-egress', 'http://static-api.example.com'));
    expect(codes).toEqual(['policy.too-open']);
  });

  test('such a link beside a text of millions of quotation marks', () => {
    const links = [
      { name: 'a', via: 'fixed-ip-egress', baseUrl: 'http://a.example', about: '"a'.repeat(3e6) },
    ];
    const output = { connectivity: { value: JSON.stringify({ links }) } };
    expect(judge([], { output }).codes).toEqual(['policy.too-open']);
  });
});

test.each([
  ['public', ['policy.too-open']],
  ['private', []],
])('a plain HTTP listener on a %s load balancer', (type, expected) => {
  const from100 = from('100.64.0.0/10', {
    via: 'plugin-endpoint-service',
    ports: { first: 80, last: 80 },
  });
  const listener = {
    load_balancer_id: '${volcenginecc_clb_clb.own.load_balancer_id}',
    acl_ids: ['${volcenginecc_clb_acl.own.acl_id}'],
    ...{ acl_status: 'on', acl_type: 'white', port: 80, protocol: 'HTTP' },
  };
  const resource = {
    volcenginecc_clb_clb: { own: { type } },
    volcenginecc_clb_acl: { own: { acl_entries: [{ entry: '100.64.0.0/10' }] } },
    volcenginecc_clb_listener: { own: listener },
  };
  expect(judge([from100], { resource }).codes).toEqual(expected);
});

describe('allows', () => {
  test.each<[what: string, rules: AccessRule[]]>([
    ['networks and one port', [from('10.0.0.0/8')]],
    ['one account', [from('', { peer: { kind: 'account', account: '2100000001' } })]],
    ['an excused rule', [from('0.0.0.0/0', { exception })]],
    [
      'an excused rule on its last day',
      [from('0.0.0.0/0', { exception: { ...exception, expires: TODAY } })],
    ],
    ['plain HTTP on the private path', [from('10.0.0.0/8', { ports: { first: 80, last: 80 } })]],
  ])('%s', (_, rules) => {
    expect(judge(rules).codes).toEqual([]);
  });

  test('a private link that speaks plain HTTP, though its name is known only after the deploy', () => {
    const url = 'http://${volcenginecc_privatelink_vpc_endpoint.service-endpoint.endpoint_domain}';
    expect(judge([], connectivity('service-endpoint', url)).codes).toEqual([]);
  });
});

test('docs/review.md lists every code of what is forbidden', () => {
  const page = readFileSync('docs/review.md', 'utf8');
  const [, table = ''] = /## Forbidden changes\n(.*)/s.exec(page) ?? [];
  const listed = [...table.matchAll(/^\| `(policy\.[a-z-]+)` \|/gm)].map(([, code]) => code);
  const forbidden = Object.entries(CODES)
    .filter(([code, { exit }]) => code.startsWith('policy.') && exit === EXIT.forbidden)
    .map(([code]) => code);
  // What is unread needs approval, unless it is a value of an access rule.
  expect(listed.toSorted()).toEqual([...forbidden, 'policy.unread'].toSorted());
});

test('a violation says who admits whom', () => {
  const { violations } = judge([from('0.0.0.0/0')]).report;
  expect(violations[0]?.message).toMatch(/^\S+ admits 4294967296 IPv4 addresses/);
});

test('who accepts half of all addresses has not accepted all of them', () => {
  const identityOf = (cidr: string) =>
    judge([from(cidr)]).report.findings.find(({ code }) => code === 'policy.too-open')?.identity;
  expect(identityOf('0.0.0.0/1')).toBeDefined();
  expect(identityOf('0.0.0.0/1')).not.toEqual(identityOf('0.0.0.0/0'));
});

test('an exception excuses its own rule and no other', () => {
  const { codes } = judge([from('0.0.0.0/0', { exception }), from('0.0.0.0/0', { subject: 'b' })]);
  expect(codes).toEqual(['policy.too-open']);
});

test('prints exceptions in force, and tells new ones from known ones', () => {
  const known = { ...rule, exception };
  const head = stackOf([known, from('10.9.0.0/16', { exception })]);
  const { exceptions } = review(treeOf(stackOf([known])), treeOf(head), TODAY);
  expect(exceptions).toMatchObject([
    { rule: 'ingress 10.0.0.0/24, tcp 443', state: 'in force', isNew: false, ...exception },
    { rule: 'ingress 10.9.0.0/16, tcp 443', state: 'in force', isNew: true, ...exception },
  ]);
});

describe('what is unknown before the deploy is forbidden, and counts as the widest', () => {
  test.each<[field: string, change: object]>([
    ['peer', { peer: { kind: 'cidr', cidr: '${data.lists.vendor.cidr}' } }],
    ['peer', { peer: { kind: 'cidr' } }],
    ['peer', { peer: { kind: 'domain', domain: 'example.com' } }],
    ['peer', { peer: { kind: 'account', account: '${var.account}' } }],
    ['peer', { peer: { kind: 'group', group: '${volcenginecc_vpc_security_group.gone.id}' } }],
    ['ports', { ports: { first: -1.8881545897087e289, last: 443 } }],
    ['protocol', { protocol: '${var.protocol}' }],
    ['subject', { subject: '${TfToken[TOKEN.12]}' }],
  ])('%s: %j', (field, change) => {
    const stack = stackOf([rule]);
    const access = { ...stack.access, rules: [{ ...rule, ...change }] };
    const tree = new Map([[stack.name, { ...stack, access } as typeof stack]]);
    const { violations } = review(treeOf(stack), tree, TODAY);
    const unknown = violations.filter(({ code }) => code === 'policy.unread');
    expect(unknown.map(({ message }) => message)).toEqual([
      expect.stringContaining(`\`${field}\``),
    ]);
  });

  test('but a group of the same stack is known', () => {
    const group = '${volcenginecc_vpc_security_group.own.security_group_id}';
    const terraform = { resource: { volcenginecc_vpc_security_group: { own: closedGroup() } } };
    const known = elsewhere(from('', { peer: { kind: 'group', group } }));
    expect(judge([known], terraform).codes).toEqual([]);
  });
});

test('fields of a rule that this version does not know do no harm', () => {
  const { codes, report } = judge([{ ...rule, list: { version: '7' } } as AccessRule]);
  expect(codes).toEqual([]);
  expect(report.totals.widens).toBe(1);
});

describe('Terraform that opens more than the access rules say', () => {
  const open = { ...closedGroup(), ingress_permissions: [accept('10.0.0.0/24')] };

  test('is forbidden, though the access rules did not change', () => {
    const { codes, report } = judge([], group(open));
    expect(codes).toEqual(['policy.unstated-access']);
    expect(report.violations[0]?.message).toBe(
      'Terraform opens ingress from 10.0.0.0/24, tcp 443, and no access rule states it',
    );
  });

  test('is fine where a rule states it, in other words', () => {
    expect(judge([from('10.0.0.0/25'), from('10.0.0.128/25')], group(open)).codes).toEqual([]);
  });

  test('a group without a closing egress rule lets everything out', () => {
    const { report } = judge(
      [],
      group({ ...open, egress_permissions: [], ingress_permissions: [] }),
    );
    expect(report.violations[0]?.message).toContain('egress to 0.0.0.0/0, every protocol and port');
  });

  test('a drop of lower or equal priority closes what is accepted, one of higher priority does not', () => {
    const judgeDrop = (priority: number) => {
      const drop = { ...accept('10.0.0.0/24'), policy: 'drop', priority };
      return judge([], group({ ...open, ingress_permissions: [accept('10.0.0.0/24'), drop] }))
        .codes;
    };
    expect([9, 10, 11].map(judgeDrop)).toEqual([[], [], ['policy.unstated-access']]);
  });

  test('a stack without access rules is read all the same', () => {
    const { name, terraform } = stackOf([], group(open));
    const { violations } = review(new Map(), new Map([[name, { name, terraform }]]), TODAY);
    expect(violations.map(({ code }) => code)).toEqual(['policy.unstated-access']);
  });

  test('a group that opens what access rules state for others is reported', () => {
    const both = { ...open, ingress_permissions: [accept('10.0.0.0/24'), accept('10.9.0.0/24')] };
    const [own, other] = [[GROUP], ['volcenginecc_vpc_security_group.other']];
    const told = (...carriers: readonly (readonly string[] | undefined)[]) =>
      judge(
        ['10.0.0.0/24', '10.9.0.0/24'].map((one, i) =>
          from(one, { subject: `s${i}`, ...(carriers[i] && { carriers: carriers[i] }) }),
        ),
        group(both),
      ).report.violations.map(({ message }) => message);
    const foreign = `${GROUP} opens ingress from 10.9.0.0/24, tcp 443, and no access rule that names it as its carrier states it`;
    const absent = `an access rule names ${other} as its carrier, which does not open ingress from 10.9.0.0/24, tcp 443`;
    expect(told(own, other)).toEqual([foreign, absent]);
    expect(told(own, [...own, ...other])).toEqual([absent]);
    // A rule that names nothing is carried by nothing, once another does.
    expect(told(own, undefined)).toEqual([foreign]);
    expect(told(own, own)).toEqual([]);
    expect(told(undefined, undefined)).toEqual([]);
  });

  test('a resource of an unknown type that has rules cannot be read', () => {
    const acl = {
      resource: { volcenginecc_vpc_network_acl: { own: { ingress_acl_entries: [] } } },
    };
    const { codes, report } = judge([], acl);
    expect(codes).toEqual([]);
    expect(exitOf(report)).toBe(3);
    expect(report.findings).toContainEqual(
      expect.objectContaining({ kind: 'unread', resource: 'volcenginecc_vpc_network_acl.own' }),
    );
  });
});

test('what cannot be read stands for its content: an approval of one body is none of another', () => {
  const acl = (cidr: string) => ({
    resource: { volcenginecc_vpc_network_acl: { own: { ingress_acl_entries: [{ cidr }] } } },
  });
  const [one, other] = ['10.0.0.0/24', '0.0.0.0/0'].map((cidr) =>
    judge([], acl(cidr)).report.findings.find(({ kind }) => kind === 'unread'),
  );
  expect(one?.after).toMatch(/^unread \(SHA-256 [\da-f]{16}…\)$/);
  expect(other?.after).not.toBe(one?.after);
  expect(other?.identity).not.toEqual(one?.identity);
});

describe('access rules of which Terraform opens nothing', () => {
  const other = group(closedGroup());
  const stated = from('10.0.0.0/24', { via: 'fixed-ip-egress', subject: 'api' });
  const reviewed = (
    base: readonly AccessRule[],
    head: readonly AccessRule[],
    terraform: Record<string, unknown> = other,
  ) => review(treeOf(stackOf(base, terraform)), treeOf(stackOf(head, terraform)), TODAY);

  test('are forbidden where they do not say what enforces them', () => {
    expect(reviewed([], [stated]).violations.map(({ message }) => message)).toEqual([
      'an access rule states ingress from 10.0.0.0/24, tcp 443; Terraform does not open it, and `enforcedElsewhere` names nothing that does',
    ]);
  });

  test('are compared as they are stated where something else enforces them', () => {
    const report = reviewed(
      [elsewhere(stated)],
      [elsewhere({ ...stated, ...from('10.0.0.0/23') })],
    );
    expect(report.decision).toBe('needs-approval');
    expect(report.violations).toEqual([]);
    expect(report.notes.join()).toContain('enforced by: the firewall of the office');
  });

  test('are the same in a tree of a version that did not say what enforces them', () => {
    expect(reviewed([stated], [elsewhere(stated)])).toMatchObject({ findings: [] });
  });

  test('need approval where something else is to enforce them', () => {
    const head = { ...stated, enforcedElsewhere: 'nothing yet' };
    expect(reviewed([elsewhere(stated)], [head]).findings).toMatchObject([
      { kind: 'safeguard', before: 'the firewall of the office', after: 'nothing yet' },
    ]);
  });

  test('need approval beside access that nobody can read', () => {
    const endpoint = { security_group_ids: ['sg-foreign'] };
    const foreign = { resource: { volcenginecc_privatelink_vpc_endpoint: { own: endpoint } } };
    expect(reviewed([], [stated], foreign)).toMatchObject({
      decision: 'needs-approval',
      violations: [],
      changes: [{ effect: 'widens', peer: '10.0.0.0/24', through: '' }],
    });
  });

  test('are forbidden where Terraform opens what something else is said to enforce', () => {
    const opened = group({ ...closedGroup(), ingress_permissions: [accept('10.0.0.0/24')] });
    expect(reviewed([], [elsewhere(stated)], opened).violations).toMatchObject([
      { code: 'policy.unstated-access' },
    ]);
  });
});

test('what is unread and unchanged is named once, and costs nothing', () => {
  const stack = stackOf([], { resource: { random_id: { own: { byte_length: 4 } } } });
  const report = review(treeOf(stack), treeOf(stack), TODAY);
  expect(exitOf(report)).toBe(0);
  expect(report.findings).toEqual([]);
  expect(report.notes.filter((note) => note.includes('random_id.own'))).toHaveLength(1);
});

test('what an exception covers says so where it is newly opened, and nothing else does', () => {
  const carriers = [GROUP];
  const rules = [from('10.0.0.0/24', { exception, carriers }), from('10.0.2.0/24', { carriers })];
  const ingress = [accept('10.0.0.0/24'), accept('10.0.2.0/24')];
  const { egress_permissions, ingress_permissions } = closedGroup();
  const open = { egress_permissions, ingress_permissions: [...ingress, ...ingress_permissions] };
  const report = review(treeOf(), treeOf(stackOf(rules, group(open))), TODAY);
  const opened = report.findings.filter(({ kind }) => kind === 'access');
  expect(opened.map(({ who, exception: covering }) => [who, covering])).toEqual([
    ['10.0.0.0/24', 'until 2030-12-31, network team: migration'],
    ['10.0.2.0/24', undefined],
  ]);
});

function accept(cidr: string) {
  const ports = { port_start: 443, port_end: 443 };
  const known = { direction: 'ingress', policy: 'accept', protocol: 'tcp', priority: 10 };
  return { ...known, ...ports, cidr_ip: cidr, description: 'calls' };
}

const GROUP = 'volcenginecc_vpc_security_group.own';

function closedGroup() {
  const all = { protocol: 'all', port_start: -1, port_end: -1, policy: 'drop', priority: 100 };
  const drops = ['0.0.0.0/0', '::/0'].map((cidr_ip) => ({ cidr_ip, ...all }));
  return { ingress_permissions: drops, egress_permissions: drops };
}

function group(body: object) {
  return { resource: { volcenginecc_vpc_security_group: { own: body } } };
}

function service(body: object) {
  return { resource: { volcenginecc_privatelink_endpoint_service: { own: body } } };
}

function connectivity(via: string, baseUrl: string) {
  const link = `{"name":"a","via":"${via}","baseUrl":"${baseUrl}","expectedAddresses":`;
  const addresses = '${jsonencode(sort([for zone in x.y.zones : "${zone.ip}/32"]))}}';
  return { output: { connectivity: { value: `{"schema":"x","links":[${link}${addresses}]}` } } };
}
