import { type Code, factsOf } from '../codes/codes.js';
import { peerText } from './changes.js';
import { isExcused } from './exceptions.js';
import { isUnknown } from './read/json.js';
import { readConnectivity } from './read/links.js';
import { references } from './read/terraform-json.js';
import type { ReviewReport } from './report-schema.js';
import type { ReviewedRule } from './reviewed-rule.js';
import { combine, type OpenRange } from './sets/ranges.js';
import { type Cell, cellKey, type Region, toRegion } from './sets/region.js';
import { mostPorts, overlaps, servicesText, subtract, toServices } from './sets/services.js';
import { describeDisagreement } from './stacks/disagreement.js';
import type { ReviewedStack } from './stacks/reviewed-stack.js';

type PolicyCode = Extract<Code, `policy.${string}`>;

/** Something that is forbidden, whether it is new or not; without a resource, in `access.json`. */
type Found = readonly [code: PolicyCode, message: string, resource?: string];

type Rules = readonly ReviewedRule[];

/** @param today `YYYY-MM-DD` */
export function findViolations(
  stack: ReviewedStack,
  exceptions: ReviewReport['exceptions'],
  today: string,
): ReviewReport['violations'] {
  const excused = stack.rules.filter((rule) => isExcused(rule, today));
  const unexcused = stack.rules.filter((rule) => !isExcused(rule, today));
  const found: Found[] = [
    ...unknowns(stack),
    ...describeDisagreement(stack, stack.disagreement).map(
      (message): Found => ['policy.unstated-access', message],
    ),
    ...tooWide(stack, excused, unexcused),
    ...accounts(stack, excused, unexcused),
    ...acceptance(stack),
    ...clearText(stack, unexcused),
    ...brokenExceptions(exceptions.filter((exception) => exception.stack === stack.name)),
  ];
  const once = new Map(found.map((one) => [`${one[0]} ${one[1]}`, one]));
  return [...once.values()].map(([code, message, resource]) => ({
    code,
    stack: stack.name,
    message,
    remedy: factsOf(code).remedy,
    ...(resource !== undefined && { resource }),
  }));
}

function unknowns({ rules }: ReviewedStack): Found[] {
  return rules.flatMap((rule) =>
    rule.unknown.map(
      (problem): Found => ['policy.unknown-value', `a rule of ${rule.subject}: ${problem}`],
    ),
  );
}

/** What is open is judged together, stated or not: two halves of all addresses are all addresses. */
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
  return cells.flatMap((cell) => [
    ...anyAddress(cell),
    ...cell.ranges.filter(hasManyPorts).map((range): Found => {
      const message = `${who(cell)} ${peerText(cell, range)}, ${servicesText(range.services)}`;
      return ['policy.all-ports', message];
    }),
  ]);
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
  return [['policy.any-address', message]];
}

function largest(cell: Cell): string {
  const size = ({ first, last }: OpenRange) => last - first;
  const range = cell.ranges.reduce((a, b) => (size(b) > size(a) ? b : a));
  return peerText(cell, range);
}

function hasManyPorts({ services }: OpenRange): boolean {
  return mostPorts(services) >= 32_768;
}

function who({ subject, direction }: Pick<Cell, 'subject' | 'direction'>): string {
  return direction === 'ingress' ? `${subject} admits` : `${subject} may call`;
}

function accounts({ effective }: ReviewedStack, excused: Rules, unexcused: Rules): Found[] {
  const allowed = new Set(accountNames(excused));
  const written = accountNames(effective.flows).filter((name) => !allowed.has(name));
  return [...accountNames(unexcused), ...written]
    .filter((name) => !isUnknown(name) && !/^\d+$/.test(name))
    .map((name) => [
      'policy.wildcard-account',
      `the account must be the number of one, got: "${name}"`,
    ]);
}

function accountNames(all: readonly Pick<ReviewedRule, 'peer'>[]): string[] {
  return all.flatMap(({ peer }) => (peer.kind === 'account' ? [peer.name] : []));
}

function acceptance({ terraform }: ReviewedStack): Found[] {
  return terraform.resources
    .filter(({ type }) => type === 'volcenginecc_privatelink_endpoint_service')
    .filter(
      ({ body }) => body.auto_accept_enabled !== undefined && body.auto_accept_enabled !== false,
    )
    .map(({ address, body }) => [
      'policy.automatic-acceptance',
      `${address} must not auto-accept connections, got: ${JSON.stringify(body.auto_accept_enabled)}`,
      address,
    ]);
}

const HTTP = toServices('tcp', { first: 80, last: 80 });

function clearText({ terraform }: ReviewedStack, unexcused: Rules): Found[] {
  const byPort = unexcused
    .filter(({ via }) => via === 'fixed-ip' || via === 'fixed-ip-plugin')
    .filter(({ services }) => overlaps(services, HTTP))
    .map(({ subject, via }) => `${subject} opens tcp 80, plain HTTP, over ${via}`);
  const byLink = readConnectivity(terraform)
    .filter(({ via, baseUrl }) => via !== 'private-network' && baseUrl.startsWith('http:'))
    .map(({ name, via, baseUrl }) => `link ${name} calls ${baseUrl} over ${via}`);
  const publicBalancers = new Set(
    terraform.resources
      .filter(({ type, body }) => type === 'volcenginecc_clb_clb' && body.type !== 'private')
      .map(({ address }) => address),
  );
  const byListener = terraform.resources
    .filter(({ type, body }) => type === 'volcenginecc_clb_listener' && body.protocol === 'HTTP')
    .filter(({ body }) =>
      references(body.load_balancer_id).some((address) => publicBalancers.has(address)),
    )
    .map(({ address }) => `${address} speaks plain HTTP on a load balancer that is not private`);
  return [...byPort, ...byLink, ...byListener].map((message) => ['policy.clear-text', message]);
}

function brokenExceptions(exceptions: ReviewReport['exceptions']): Found[] {
  return exceptions.flatMap(({ state, subject, rule, owner, expires }): Found[] => {
    const what = `the exception of ${subject} for ${rule}`;
    if (state === 'expired') {
      return [['policy.exception-expired', `${what} ended on ${expires}; its owner is ${owner}`]];
    }
    return state === 'incomplete'
      ? [['policy.exception-incomplete', `${what} must have reason, owner and a day of expiry`]]
      : [];
  });
}
