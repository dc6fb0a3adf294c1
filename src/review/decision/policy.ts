import { type Code, factsOf } from '../../codes/codes.js';
import { type PacketRule, peerName } from '../../reach/packet-rule.js';
import { resourceOf } from '../../reach/read/address.js';
import { isUnknown } from '../../reach/read/json.js';
import { references } from '../../reach/read/terraform-json.js';
import { combine, type OpenRange } from '../../reach/sets/ranges.js';
import {
  type Cell,
  cellId,
  cellKey,
  packetsId,
  peerOf,
  type Region,
  toRegion,
} from '../../reach/sets/region.js';
import {
  mostPorts,
  overlaps,
  servicesText,
  subtract,
  toServices,
} from '../../reach/sets/services.js';
import { readConnectivity } from '../effective-rules/links.js';
import type { Finding } from '../report-schema.js';
import { describeDisagreement } from '../stacks/disagreement.js';
import type { ReviewedStack } from '../stacks/reviewed-trees.js';
import { exceptionState, isExcused, ruleId, ruleText } from './exceptions.js';

type PolicyCode = Extract<Code, `policy.${string}`>;

/** A row of what is forbidden. */
type Violation = Finding & { readonly code: PolicyCode };

/**
 * Something that is forbidden, whether it is new or not, and what it is about in names and values;
 * without a resource, in `access.json`.
 */
type Found = readonly [code: PolicyCode, identity: string[], message: string, resource?: string];

type Rules = readonly PacketRule[];

/**
 * Finds what is forbidden, which access rules can except; a plan alone has none, and all that it opens needs
 * approval.
 *
 * @param today `YYYY-MM-DD`
 */
export function findViolations(stack: ReviewedStack, today: string): Violation[] {
  if (stack.isFound) return [];
  const excused = stack.rules.filter((rule) => isExcused(rule, today));
  const unexcused = stack.rules.filter((rule) => !isExcused(rule, today));
  const found: Found[] = [
    ...unknowns(stack),
    ...describeDisagreement(stack, stack.disagreement).map(
      ({ identity, message }): Found => ['policy.unstated-access', identity, message],
    ),
    ...tooWide(stack, excused, unexcused),
    ...accounts(stack, excused, unexcused),
    ...acceptance(stack),
    ...clearText(stack, unexcused),
    ...brokenExceptions(stack, today),
  ];
  const once = new Map(found.map((one) => [`${one[0]} ${one[2]}`, one]));
  return [...once.values()].map(([code, identity, what, resource = 'access.json']) => ({
    kind: code === 'policy.unstated-access' ? 'disagreement' : 'policy',
    decision: 'forbidden',
    stack: stack.name,
    resource,
    who: '',
    what,
    identity,
    before: '',
    after: '',
    code,
  }));
}

/** Makes the entry of a violation for programs. */
export function listViolation({ code, stack, what, resource }: Violation) {
  const place = resource === 'access.json' ? {} : { resource };
  return { code, stack, message: what, remedy: factsOf(code).remedy, ...place };
}

function unknowns({ rules }: ReviewedStack): Found[] {
  return rules.flatMap((rule) =>
    rule.unknown.map(({ field, problem }): Found => {
      const message = `a rule of ${rule.subject}: ${problem}`;
      return ['policy.unread', [...ruleId(rule), field], message];
    }),
  );
}

/** Judges all open packets together, stated or not: two halves of all addresses are all addresses. */
function tooWide({ open }: ReviewedStack, excused: Rules, unexcused: Rules): Found[] {
  const packets = open.filter(
    ({ carrier, isPackets }) => carrier !== undefined && isPackets === true,
  );
  // Whatever names the rule has, it excuses the packets.
  const allowed = toRegion(excused.map((rule) => ({ ...rule, via: '', subject: '' })));
  const cells = [
    ...toRegion(unexcused).values(),
    ...[...toRegion(packets).values()].map((cell) => withoutExcused(cell, allowed)),
  ];
  return cells.flatMap((cell) => [...anyAddress(cell), ...manyPorts(cell)]);
}

function manyPorts(cell: Cell): Found[] {
  const wide = cell.ranges.filter(({ services }) => mostPorts(services) >= 32_768);
  return wide.map((range) => {
    const message = `${who(cell)} ${peerName(peerOf(cell, range))}, ${servicesText(range.services)}`;
    return ['policy.too-open', packetsId(cell, range), message];
  });
}

function withoutExcused(cell: Cell, excused: Region): Cell {
  const { stack, direction, peer } = cell;
  const key = cellKey({ stack, via: '', direction, subject: '', peer });
  return { ...cell, ranges: combine(cell.ranges, excused.get(key)?.ranges ?? [], subtract) };
}

function anyAddress(cell: Cell): Found[] {
  if (cell.peer.kind !== 'addresses') return [];
  const { family } = cell.peer;
  const addresses = cell.ranges.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);
  if (addresses < 1n << (family === 4 ? 31n : 127n)) return [];
  const message = `${who(cell)} ${addresses} IPv${family} addresses, the largest part ${largest(cell)}`;
  return [['policy.too-open', [...cellId(cell), String(addresses)], message]];
}

function largest(cell: Cell): string {
  const size = ({ first, last }: OpenRange) => last - first;
  const range = cell.ranges.reduce((a, b) => (size(b) > size(a) ? b : a));
  return peerName(peerOf(cell, range));
}

function who({ subject, direction }: Pick<Cell, 'subject' | 'direction'>): string {
  return direction === 'ingress' ? `${subject} admits` : `${subject} may call`;
}

function accounts({ effective }: ReviewedStack, excused: Rules, unexcused: Rules): Found[] {
  const allowed = new Set(accountNames(excused));
  const written = accountNames(effective.flows).filter((name) => !allowed.has(name));
  return [...accountNames(unexcused), ...written].flatMap((name): Found[] => {
    if (isUnknown(name) || /^\d+$/.test(name)) return [];
    const message = `the account must be the number of one, got: "${name}"`;
    return [['policy.too-open', [name], message]];
  });
}

function accountNames(all: readonly Pick<PacketRule, 'peer'>[]): string[] {
  return all.flatMap(({ peer }) => (peer.kind === 'account' ? [peer.name] : []));
}

function acceptance({ terraform }: ReviewedStack): Found[] {
  return terraform.resources.flatMap(({ type, address, body }): Found[] => {
    const { auto_accept_enabled: accepts = false } = body;
    if (type !== 'volcenginecc_privatelink_endpoint_service' || accepts === false) return [];
    const message = `${address} must not auto-accept connections, got: ${JSON.stringify(accepts)}`;
    return [['policy.too-open', [], message, address]];
  });
}

const HTTP = toServices('tcp', { first: 80, last: 80 });

function clearText({ terraform }: ReviewedStack, unexcused: Rules): Found[] {
  const { resources } = terraform;
  const found = (id: string[], text: string): Found => ['policy.too-open', id, text];
  const publicBalancers = new Set(
    resources
      .filter(({ type, body }) => type === 'volcenginecc_clb_clb' && body.type !== 'private')
      .map(({ address }) => address),
  );
  return [
    ...unexcused
      .filter(({ via }) => via === 'fixed-ip-egress' || via === 'fixed-ip-ingress')
      .filter(({ services }) => overlaps(services, HTTP))
      .map(({ subject, via }) =>
        found([via, subject], `${subject} opens tcp 80, plain HTTP, over ${via}`),
      ),
    ...readConnectivity(terraform)
      .filter(({ via, baseUrl }) => via !== 'service-endpoint' && baseUrl.startsWith('http:'))
      .map(({ name, via, baseUrl }) =>
        found([via, name, baseUrl], `link ${name} calls ${baseUrl} over ${via}`),
      ),
    ...resources
      .filter(({ type, body }) => type === 'volcenginecc_clb_listener' && body.protocol === 'HTTP')
      .filter(({ body }) =>
        references(body.load_balancer_id).some(
          (address) => publicBalancers.has(address) || publicBalancers.has(resourceOf(address)),
        ),
      )
      .map(({ address }) =>
        found([address], `${address} speaks plain HTTP on a load balancer that is not private`),
      ),
  ];
}

function brokenExceptions({ rules }: ReviewedStack, today: string): Found[] {
  return rules.flatMap((rule): Found[] => {
    if (rule.exception === undefined) return [];
    const { owner, expires } = rule.exception;
    const what = `the exception of ${rule.subject} for ${ruleText(rule)}`;
    const state = exceptionState(rule.exception, today);
    if (state === 'in force') return [];
    const [code, message] =
      state === 'expired'
        ? (['policy.exception', `ended on ${expires}; its owner is ${owner}`] as const)
        : (['policy.exception', 'must have reason, owner and a day of expiry'] as const);
    return [[code, ruleId(rule), `${what} ${message}`]];
  });
}
