import { expect, test } from 'vitest';
import { FIXED_ADDRESSES } from '../../src/net/fixed-addresses.js';
import { withPlainReferences } from '../../src/reach/read/terraform-json.js';
import { markdownReport, textReport } from '../../src/review/reports/document.js';
import { exitOf, review } from '../../src/review/review.js';
import { from, reviewOf, reviewOfTerraform, stackOf, TODAY, treeOf } from './trees.js';

const GROUP = 'volcenginecc_vpc_security_group';

function permission(cidr_ip: string, change: object = {}) {
  const ports = { protocol: 'tcp', port_start: 443, port_end: 443, priority: 10 };
  return { policy: 'accept', cidr_ip, description: '', ...ports, ...change };
}

const DROP = { policy: 'drop', protocol: 'all', port_start: -1, port_end: -1, priority: 100 };
const EVERYONE = [permission('0.0.0.0/0', DROP), permission('::/0', DROP)];

function groups(callers: Readonly<Record<string, readonly string[]>>) {
  const bodies = Object.entries(callers).map(([name, cidrs]) => {
    const ingress = cidrs.map((cidr) => permission(cidr));
    return [name, { ingress_permissions: ingress, egress_permissions: EVERYONE }];
  });
  return { resource: { [GROUP]: Object.fromEntries(bodies) } };
}

const told = (report: ReturnType<typeof review>) =>
  report.findings.map(({ who, what, resource, before, after, packet, consequence }) =>
    [who, what, resource, `${before} → ${after}`, packet, consequence].filter(Boolean).join(' | '),
  );

test('a rule is shown under the group that states it, where two groups state the same', () => {
  const both = ['10.0.0.0/24', '10.1.0.0/24'];
  const rules = (subject: string, carrier: string, cidrs: readonly string[]) =>
    cidrs.map((cidr) => from(cidr, { subject, carriers: [`${GROUP}.${carrier}`] }));
  const tree = (more: readonly string[]) =>
    treeOf(
      stackOf(
        [...rules('orders', 'a', both), ...rules('bills', 'b', [...both, ...more])],
        groups({ a: both, b: [...both, ...more] }),
      ),
    );
  expect(told(review(tree([]), tree(['10.30.9.0/24']), TODAY))).toEqual([
    `10.30.9.0/24 | bills, tcp 443 | ${GROUP}.b | closed → tcp 443 | 10.30.9.1 → bills:443 was dropped, now may pass (Is anything in ${GROUP}.b?)`,
  ]);
});

test('the end of access names one packet, and what was closed comes before a port that moves', () => {
  const moved = groups({ a: ['10.0.0.0/24'] });
  const [first] = moved.resource[GROUP]?.a?.ingress_permissions ?? [];
  Object.assign(first ?? {}, { port_end: 444 });
  const base = groups({ a: ['10.0.0.0/24', '10.9.0.0/16'] });
  const narrower = told(reviewOfTerraform(base, groups({ a: ['10.0.0.0/24'] }))).join('\n');
  expect(narrower).toContain(`10.9.0.1 → ${GROUP}.a:443 passed, now is dropped`);
  moved.resource[GROUP]?.a?.ingress_permissions.push(permission('10.77.0.1/32'));
  const { summary } = reviewOfTerraform(groups({ a: ['10.0.0.0/24'] }), moved);
  const widened = reviewOfTerraform(groups({ a: ['10.0.0.0/24'] }), moved).findings.filter(
    ({ kind }) => kind === 'access',
  );
  expect(widened.map(({ who }) => who)).toEqual(['10.77.0.1', '10.0.0.0/24']);
  expect(summary).not.toBe('');
});

test('a list says who is in it, and neither in which direction nor on which ports', () => {
  const list = (cidr: string) => ({
    resource: { volcenginecc_vpc_prefix_list: { own: { prefix_list_entries: [{ cidr }] } } },
  });
  const report = reviewOfTerraform(list('36.1.0.7/32'), list('36.1.0.9/32'));
  const text = textReport(report);
  expect(text).toContain('Newly in lists');
  expect(text).toContain('No longer in lists');
  expect(text).not.toMatch(/every protocol|reachable|can now reach/);
  expect(report.changes.map(({ direction }) => direction)).toEqual(['either', 'either']);
});

test('a stack that is removed is one row', () => {
  const endpoint = {
    volcenginecc_privatelink_vpc_endpoint: {
      own: { service_id: 's', vpc_id: 'vpc-1', security_group_ids: [`\${${GROUP}.own.id}`] },
    },
  };
  const { resource } = groups({ own: ['10.0.0.0/24', '10.2.0.0/24', '10.4.0.0/24'] });
  const rules = ['10.0.0.0/24', '10.2.0.0/24', '10.4.0.0/24'].map((cidr) => from(cidr));
  const provider = { volcenginecc: { region: 'cn-beijing' } };
  const stack = stackOf(rules, { provider, resource: { ...resource, ...endpoint } }, 'gone');
  const report = review(treeOf(stack), new Map(), TODAY);
  expect(told(report)).toEqual([
    'the stack | stack | deployed → removed | stack gone is removed: 3 accesses close, 1 connection is cut',
  ]);
  const added = told(review(new Map(), treeOf(stack), TODAY)).filter((row) => !/→ tcp/.test(row));
  expect(added).toEqual([
    'the stack | stack | none → created | stack gone is new: region: cn-beijing; provider volcenginecc: hashicorp/volcenginecc',
  ]);
});

test('the end of a firewall is no part of the end of its stack, for it opens something', () => {
  const policy = {
    ...{ action: 'deny', direction: 'in', proto: 'TCP', status: true, prio: 1 },
    ...{ source: '0.0.0.0/0', source_type: 'net', dest_port: '443', dest_port_type: 'port' },
    ...{ destination: '47.1.0.0/24', destination_type: 'net', repeat_type: 'Permanent' },
  };
  const resource = { volcenginecc_fwcenter_control_policy: { own: policy } };
  const report = review(treeOf(stackOf([], { resource }, 'gone')), new Map(), TODAY);
  expect(told(report).join('\n')).toContain('the firewall passes whatever no policy denies');
  expect(exitOf(report)).toBe(3);
});

test('a peer that has only a name is named in the packet, and a reference to it in plain words', () => {
  const workloads = { source_group_id: `\${${GROUP}.work.security_group_id}`, cidr_ip: undefined };
  const tree = (more: readonly object[]) => {
    const empty = { ingress_permissions: [], egress_permissions: EVERYONE };
    const own = { ...empty, ingress_permissions: [permission('10.0.0.0/24'), ...more] };
    return { resource: { [GROUP]: { own, work: empty } } };
  };
  const [base, head] = [tree([]), tree([permission('', workloads)])];
  const access = ({ findings }: ReturnType<typeof review>) =>
    findings.filter(({ kind }) => kind === 'access').map(({ packet }) => packet);
  const between = `group ${GROUP}.work → ${GROUP}.own:443`;
  expect(access(reviewOfTerraform(base, head))).toEqual([`${between} was dropped, now passes`]);
  expect(access(reviewOfTerraform(head, base))).toEqual([`${between} passed, now is dropped`]);
});

test.each([
  ['${zone.own.zid}'],
  ['${tonumber(zone.own.zid)}'],
  ['${tostring(zone.own.zid)}'],
])('%s is written as the address of the resource', (text) => {
  expect(withPlainReferences(text)).toBe('zone.own');
});

test('a private zone that is new is told as that, without an expression of Terraform', () => {
  const zone = 'volcenginecc_privatezone_private_zone.api';
  const records = {
    volcenginecc_privatezone_private_zone: { api: { zone_name: 'example.com', vpcs: [] } },
    volcenginecc_privatezone_record: {
      own: { zid: `\${${zone}.zid}`, host: 'api', type: 'A', value: '10.0.0.1' },
    },
  };
  const base = groups({ own: ['10.0.0.0/24'] });
  const head = { resource: { ...base.resource, ...records } };
  const report = reviewOfTerraform(base, head);
  expect(report.findings.filter(({ kind }) => kind === 'destination')).toMatchObject([
    { resource: zone, before: 'none', consequence: 'the private zone is new' },
  ]);
  expect(markdownReport(report)).not.toContain('${');
  const gone = reviewOfTerraform(head, base).findings.filter(({ resource }) => resource === zone);
  expect(gone).toMatchObject([{ kind: 'disruption', after: 'removed' }]);
});

test('a subject with the name of a list is no list', () => {
  const rules = [from('10.9.0.0/24', { subject: 'rules that refer to the prefix list' })];
  const text = textReport(reviewOf([], rules));
  expect(text).toContain('Newly reachable');
  expect(text).not.toContain('Newly in lists');
  expect(text).toMatch(/10\.9\.0\.0\/24 can now reach rules that refer to the prefix list/);
});

const egress = (addresses: readonly string[]) =>
  addresses.map((address) =>
    from(`${address}/32`, { via: 'fixed-ip-egress', direction: 'egress', subject: 'agents' }),
  );
const SHIPPED = FIXED_ADDRESSES.entries.map(({ address }) => address);

test('the addresses of the shipped list are one row where all are new', () => {
  const [first] = reviewOf([], egress(SHIPPED)).findings;
  expect(first).toMatchObject({
    addresses: '24',
    what: expect.stringMatching(/^24 addresses of the list of 2026-05-04: 36\.110\.186\.29, /),
  });
  const [other] = reviewOf([], egress(SHIPPED.slice(1))).findings;
  expect(other?.identity).not.toEqual(first?.identity);
});

test.each([
  ['a list of others', Array.from({ length: 24 }, (_, i) => `36.1.${i}.7`)],
  ['the shipped list with one more', [...SHIPPED, '203.0.113.66']],
])('of %s every address is named in the row', (_, addresses) => {
  const rows = reviewOf([], egress(addresses)).findings.filter(({ kind }) => kind === 'access');
  const said = rows.map(({ what }) => what).join('; ');
  for (const address of addresses) expect(said).toContain(address);
  expect(rows).toHaveLength(1);
});

test('more addresses than a row can name have rows of their own', () => {
  const many = Array.from({ length: 65 }, (_, i) => `36.1.${i}.7`);
  expect(reviewOf([], egress(many)).findings).toHaveLength(65);
});

test('a stack that is renamed hides nothing that it opens meanwhile, and tells nothing else', () => {
  const others = Array.from({ length: 20 }, (_, i) => `10.77.${i}.0/24`);
  const tree = (stack: string, cidr: string) =>
    treeOf(stackOf([], groups({ own: [cidr], kept: others }), stack));
  const report = review(tree('api', '10.0.0.0/8'), tree('helpers', '210.0.0.0/8'), TODAY);
  expect(told(report).join('\n')).toContain('api looks renamed to helpers');
  const access = report.findings.filter(({ kind }) => kind === 'access');
  expect(access.map(({ who, packet }) => [who, packet])).toEqual([
    ['210.0.0.0/8', `210.0.0.1 → ${GROUP}.own:443 was dropped, now passes`],
    ['10.0.0.0/8', expect.stringMatching(/passed, now is dropped$/)],
  ]);
});

test('a stack that is renamed with the zone that has its name answers for another zone', () => {
  const tree = (stack: string) => {
    const zone = { zone_name: `${stack}.example.com`, vpcs: [] };
    const { resource } = groups({ kept: ['10.0.0.0/8', '10.1.0.0/24', '10.2.0.0/24'] });
    const zones = { volcenginecc_privatezone_private_zone: { own: zone } };
    return treeOf(stackOf([], { resource: { ...resource, ...zones } }, stack));
  };
  const said = told(review(tree('api'), tree('evil'), TODAY)).join('\n');
  expect(said).toContain('looks renamed');
  expect(said).toContain('api.example.com → evil.example.com');
});

test('a drop outward that goes is told, where nobody knows what passes without it', () => {
  const tree = (egress: readonly object[]) => {
    const own = { ingress_permissions: [permission('10.0.0.0/24')], egress_permissions: egress };
    return { resource: { [GROUP]: { own } } };
  };
  const report = reviewOfTerraform(tree(EVERYONE), tree(EVERYONE.slice(0, 1)));
  expect(report.findings.filter(({ kind }) => kind === 'safeguard')).toMatchObject([
    { decision: 'needs-approval', what: expect.stringContaining('::/0'), after: 'not denied' },
  ]);
  const narrower = reviewOfTerraform(tree(EVERYONE.slice(0, 1)), tree(EVERYONE));
  expect(narrower.findings.filter(({ kind }) => kind === 'safeguard')).toEqual([]);
});

const check = (program: string) => ({
  null_resource: {
    check: {
      provisioner: [
        { 'local-exec': { command: 'calls', interpreter: ['node', program, ...VERIFY] } },
      ],
    },
  },
});
const VERIFY = [
  ...['verify', '--links-from-environment', '--wait', '60s', '--report-only'],
  ...['--format', 'json=connectivity-check.json', '--title'],
];
const OWN = '../../../node_modules/cdktf-secure-connectivity/dist/cli/main.js';
const OTHER = '../../../node_modules/left-pad/dist/cli/main.js';

test('a program of a new stack that the base has nowhere is one row of its own', () => {
  const stack = (name: string, program: string) => stackOf([], { resource: check(program) }, name);
  const claims = (...added: ReturnType<typeof stack>[]) =>
    review(treeOf(stack('old', OWN)), treeOf(stack('old', OWN), ...added), TODAY)
      .findings.filter(({ what }) => what === 'program of the deploy')
      .map(({ kind, decision, stack: name, after }) => [kind, decision, name, after]);
  expect(claims(stack('new', OWN))).toEqual([]);
  expect(claims(stack('new', OTHER), stack('newer', OTHER))).toEqual([
    ['control', 'needs-approval', 'new', OTHER],
  ]);
});

test('a new stack that takes the state of another needs approval', () => {
  const stack = (name: string, key: string, encrypt = true) => {
    const backend = { s3: { bucket: 'states', key, encrypt } };
    return stackOf([], { terraform: { backend }, ...groups({ [name]: [] }) }, name);
  };
  const claims = (added: ReturnType<typeof stack>) =>
    told(review(treeOf(stack('old', 'old')), treeOf(stack('old', 'old'), added), TODAY)).join('\n');
  expect(claims(stack('new', 'new'))).not.toContain('destroys');
  expect(claims(stack('new', 'old', false))).toContain(
    'a deploy destroys what old has made and new does not name',
  );
});
