import { type Code, factsOf } from '../codes/codes.js';
import { peerText } from './changes.js';
import { compareWithRules, mixedOpenings } from './effective-rules/compare.js';
import { seemsToRule } from './effective-rules/read-stack.js';
import { type ExceptionInForce, isExcused } from './exceptions.js';
import { readConnectivity } from './links.js';
import { isUnknown, references } from './read/terraform-json.js';
import type { ReviewedStack } from './reviewed-stack.js';
import type { OpenRange } from './sets/ranges.js';
import { type Cell, regionOf } from './sets/region.js';
import { mostPorts, servicesOf, servicesText } from './sets/services.js';
import { intersect } from './sets/spans.js';

type PolicyCode = Extract<Code, `policy.${string}`>;

/** Something that is forbidden, whether it is new or not. */
export interface Violation {
  readonly code: PolicyCode;
  readonly stack: string;
  /** What it was found on, as a sentence. */
  readonly message: string;
  readonly remedy: string;
}

type Found = readonly [code: PolicyCode, message: string];

/** @param today `YYYY-MM-DD` */
export function violationsOf(
  stack: ReviewedStack,
  exceptions: readonly ExceptionInForce[],
  today: string,
): Violation[] {
  const found: Found[] = [
    ...unknowns(stack),
    ...tooWide(stack, today),
    ...accounts(stack, today),
    ...acceptance(stack),
    ...clearText(stack, today),
    ...brokenExceptions(exceptions.filter((exception) => exception.stack === stack.name)),
    ...unstated(stack),
  ];
  const once = new Map(found.map((one) => [one.join(' '), one]));
  return [...once.values()].map(([code, message]) => ({
    code,
    stack: stack.name,
    message,
    remedy: factsOf(code).remedy,
  }));
}

function unknowns({ rules, reading }: ReviewedStack): Found[] {
  const ofRules = rules.flatMap((rule) =>
    rule.unknown.map((problem) => `a rule of ${rule.subject}: ${problem}`),
  );
  return [...ofRules, ...reading.problems].map((message) => ['policy.unknown-value', message]);
}

/** Rules are judged together: two halves of all addresses are all addresses. */
function tooWide({ rules }: ReviewedStack, today: string): Found[] {
  const region = regionOf(rules.filter((rule) => !isExcused(rule, today)));
  return [...region.values()].flatMap((cell) => [
    ...anyAddress(cell),
    ...cell.ranges.filter(hasManyPorts).map((range): Found => {
      const message = `${who(cell)} ${peerText(cell, range)}, ${servicesText(range.services)}`;
      return ['policy.all-ports', message];
    }),
  ]);
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
  return mostPorts(services) >= 32_768n;
}

function who({ subject, direction }: Pick<Cell, 'subject' | 'direction'>): string {
  return direction === 'ingress' ? `${subject} lets in` : `${subject} may call`;
}

function accounts(stack: ReviewedStack, today: string): Found[] {
  const stated = stack.rules.filter((rule) => !isExcused(rule, today)).map(({ peer }) => peer);
  const excused = new Set(
    stack.rules
      .filter((rule) => isExcused(rule, today))
      .map(({ peer }) => JSON.stringify(peer, text)),
  );
  const written = stack.reading.openings
    .map(({ peer }) => peer)
    .filter((peer) => !excused.has(JSON.stringify(peer, text)));
  return [...stated, ...written].flatMap((peer): Found[] =>
    peer.kind === 'account' && !isUnknown(peer.name) && !/^\d+$/.test(peer.name)
      ? [['policy.wildcard-account', `the account must be the number of one, got: "${peer.name}"`]]
      : [],
  );
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
    ]);
}

const HTTP = servicesOf('tcp', { first: 80, last: 80 });

function clearText({ rules, terraform }: ReviewedStack, today: string): Found[] {
  const byPort = rules
    .filter(({ via }) => via === 'fixed-ip' || via === 'fixed-ip-plugin')
    .filter((rule) => !isExcused(rule, today) && intersect(rule.services, HTTP).length > 0)
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

function brokenExceptions(exceptions: readonly ExceptionInForce[]): Found[] {
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

function unstated({ rules, reading }: ReviewedStack): Found[] {
  const { unstated: extra } = compareWithRules(reading.openings, rules);
  const mixed = extra.length > 0 ? [] : mixedOpenings(reading.openings, rules);
  return [
    ...extra.map((sentence): Found => {
      const message = `Terraform opens ${sentence}, and no access rule states it`;
      return ['policy.unstated-access', message];
    }),
    ...mixed.map((resource): Found => {
      const message = `${resource} opens what the access rules state for several subjects apart`;
      return ['policy.unstated-access', message];
    }),
    ...reading.unread
      .filter(seemsToRule)
      .map(({ address }): Found => ['policy.unread-resource', `${address} cannot be read`]),
  ];
}

/** Addresses are big integers, which JSON has no form for. */
function text(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
