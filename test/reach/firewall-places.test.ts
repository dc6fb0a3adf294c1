import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAddress } from '../../src/net/address.js';
import { cidrContains, parseCidr } from '../../src/net/cidr.js';
import { type OpenPart, openParts } from '../../src/reach/questions/table.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { intersect, toServices } from '../../src/reach/sets/services.js';
import { readReached } from '../../src/reach/ways/doors.js';

interface Policy {
  readonly action: 'accept' | 'deny';
  readonly source: string;
  readonly destination: string;
  readonly prio: number;
}

const OWN = '198.51.100.9';

/** The access rule of `tickets`, which a policy for its address carries. */
const ruleOf = (carrier: string) => ({
  ...{ via: 'fixed-ip-ingress', direction: 'ingress' as const, subject: 'tickets' },
  ...{ peer: { kind: 'cidr', cidr: '203.0.113.7/32' }, protocol: 'tcp', reason: '' },
  ports: { first: 80, last: 80 },
  carriers: [`volcenginecc_fwcenter_control_policy.${carrier}`],
});

function firewall(
  policies: readonly Policy[],
  more: object = {},
  books = {},
  carrier = 'p0',
): OpenPart[] {
  const all = policies.map((policy, i) => [
    `p${i}`,
    {
      ...policy,
      ...{ direction: 'in', source_type: 'net', status: true },
      destination_type: policy.destination.startsWith('$') ? 'group' : 'net',
      ...{ dest_port: '80', dest_port_type: 'port', proto: 'TCP' },
      ...more,
    },
  ]);
  const terraform = readTerraform({
    resource: {
      volcenginecc_fwcenter_control_policy: Object.fromEntries(all),
      volcenginecc_fwcenter_address_book: books,
    },
  });
  const access = { rules: [ruleOf(carrier)] };
  return openParts(readReached({ name: 'api', file: 'cdk.tf.json', terraform, access }));
}

/** Asks for port 80 of the address of `tickets`. */
function isOpen(parts: readonly OpenPart[], from: string): boolean | undefined {
  const { family, value } = parseAddress(from);
  const found = parts.filter(
    ({ way, peer, range }) =>
      way.subject === 'tickets' &&
      peer.kind === 'addresses' &&
      peer.family === family &&
      range.first <= value &&
      value <= range.last &&
      intersect(range.services, HTTP).length > 0,
  );
  if (found.some(({ depends }) => depends.length === 0)) return true;
  return found.length === 0 ? false : undefined;
}

const HTTP = toServices('tcp', { first: 80, last: 80 });

/** Networks around the address, most of which have it, beside its own policy, which names the place. */
const NETWORKS = [`${OWN}/32`, OWN, '198.51.100.8/31', '198.51.100.0/24', '128.0.0.0/1'];
const ELSEWHERE = ['0.0.0.0/0', '198.51.100.10/32', '198.51.100.128/25', '203.0.113.0/24'];
const SOURCES = ['203.0.113.7/32', '203.0.113.0/24', '192.0.0.0/2', '0.0.0.0/0', '8.8.8.8/32'];

const STATED = '203.0.113.7/32';
const CLIENT = '203.0.113.7';

function has(cidr: string, address: string): boolean {
  return cidrContains(parseCidr(cidr.includes('/') ? cidr : `${cidr}/32`), parseAddress(address));
}

/** A naive reading: the first policy whose networks have both addresses; none lets pass. */
function passes(policies: readonly Policy[], from: string, own = OWN): boolean {
  const [first] = policies
    .filter(({ source, destination }) => has(source, from) && has(destination, own))
    .sort((a, b) => a.prio - b.prio);
  return first?.action !== 'deny';
}

test('every policy whose networks have the address of a place decides on it, and no other', () => {
  const policy = fc.record({
    action: fc.constantFrom('accept' as const, 'deny' as const),
    source: fc.constantFrom(...SOURCES),
    destination: fc.constantFrom(...NETWORKS, ...ELSEWHERE),
  });
  const first = { action: 'accept', source: STATED, destination: OWN } as const;
  fc.assert(
    fc.property(fc.array(policy, { maxLength: 5 }), (others) => {
      // The access rule names the first of all: it tells whose address it is.
      const all = [first, ...others].map((one, i) => ({ ...one, prio: i + 1 }));
      const parts = firewall(all);
      for (const from of [CLIENT, '203.0.113.8', '8.8.8.8', '193.1.1.1', '1.1.1.1']) {
        expect([from, isOpen(parts, from)]).toEqual([from, passes(all, from)]);
      }
    }),
    { numRuns: 300, seed: 9 },
  );
});

test('what each address of a place lets in is let in, whichever policies say so', () => {
  const OWNS = ['198.51.100.9', '198.51.100.10', '198.51.100.12'];
  const own = {
    address_detail_list: OWNS.map((one) => ({ address: `${one}/32` })),
    group_type: 'ip',
  };
  const place = `\${volcenginecc_fwcenter_address_book.own.group_uuid}`;
  const policy = fc.record({
    action: fc.constantFrom('accept' as const, 'deny' as const),
    source: fc.constantFrom(...SOURCES),
    destination: fc.constantFrom('0.0.0.0/0', '198.51.100.8/30', '198.51.100.12/32', ...OWNS),
  });
  const counts = { decided: 0, undecided: 0 };
  fc.assert(
    fc.property(fc.array(policy, { maxLength: 7 }), (others) => {
      const named = { action: 'accept', source: STATED, destination: place } as const;
      const all = [named, ...others].map((one, i) => ({ ...one, prio: i + 1 }));
      const parts = firewall(all, {}, { own });
      for (const from of [CLIENT, '203.0.113.8', '8.8.8.8', '193.1.1.1', '1.1.1.1']) {
        const answers = new Set(
          OWNS.map((one) =>
            passes(
              all.map((policy) => ({
                ...policy,
                destination: policy === all[0] ? `${one}/32` : policy.destination,
              })),
              from,
              one,
            ),
          ),
        );
        const [answer] = answers;
        counts[answers.size === 1 ? 'decided' : 'undecided'] += 1;
        expect([from, isOpen(parts, from)]).toEqual([
          from,
          answers.size === 1 ? answer : undefined,
        ]);
      }
    }),
    { numRuns: 300, seed: 11 },
  );
  expect(Math.min(counts.decided, counts.undecided)).toBeGreaterThan(100);
});

test('a policy for the other family than its addresses have decides nothing for certain', () => {
  const close: Policy = { action: 'deny', source: '0.0.0.0/0', destination: OWN, prio: 2 };
  const first: Policy = { ...close, action: 'accept', source: '203.0.113.7/32', prio: 1 };
  expect(isOpen(firewall([first, close], { ip_type: 'v4' }), '8.8.8.8')).toBe(false);
  expect(isOpen(firewall([first, close], { ip_type: 'v6' }), '8.8.8.8')).toBeUndefined();
});

test.each<[what: string, actions: readonly Policy['action'][]]>([
  ['denies what its access rule states', ['deny']],
  ['denies it before another accepts it', ['deny', 'accept']],
])('an address keeps its name where a policy %s', (_, actions) => {
  const source = '203.0.113.7/32';
  const parts = firewall(
    actions.map((action, i) => ({ action, source, destination: `${OWN}/32`, prio: i + 1 })),
  );
  expect(isOpen(parts, '203.0.113.8')).toBe(true);
  expect(isOpen(parts, '203.0.113.7')).toBe(false);
});
