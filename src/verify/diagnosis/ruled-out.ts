import { type Code, type Reason, reasonOf } from '../../codes/codes.js';
import { failedReasons, isOfTime, reasonOfCause } from '../../codes/stated.js';
import { SKEW_WARNING_MS } from '../model/clock-skew.js';
import { isGood } from '../model/findings.js';
import { isOpenRefusal, isUnexplained } from '../model/refusal-words.js';
import type { Cause, LinkResult, StageName } from '../model/verification.js';
import { isFromCache, OF_ANYBODY } from '../transport/sender.js';
import {
  type Facts,
  findOtherNames,
  findProbes,
  measuredSkew,
  serverTimeOutcome,
  wayToSend,
} from './candidates.js';

/** The beginning of codes. */
type Prefix = Code extends `${infer Start}.${string}` ? `${Start}.` : never;

const PACKETS = [
  'tcp.',
  'path.partial: one IP family',
  'host.egress',
  'host.outside-network',
] as const;
const GROUPS = [...PACKETS, 'endpoint.security-group', 'endpoint.not-accepted'] as const;
const BEHIND = ['server.no-target', 'server.other-service'] as const;

/** Causes that can be ruled out, each with those that it cannot stand beside. */
const EXCLUDED_CAUSES = {
  'the network between here and the service': [
    ...PACKETS,
    ...BEHIND,
    ...['dns.', 'address.', 'tls.', 'path.', 'proxy.', 'endpoint.'],
  ],
  'the route, security groups and certificate': [...GROUPS, 'tls.', 'path.inspection'],
  'the route and the security groups': GROUPS,
  'the path to the proxy': [
    ...['tcp.', 'proxy.refused', 'proxy.refused: no answer', 'proxy.refused: other login'],
  ],
  'DNS server failure': [
    ...['dns.server-failed', 'dns.server-failed: no answer'],
    ...['dns.server-failed: no recursion', 'dns.other-resolver'],
  ],
  'the endpoint, its security group and the route to it': [
    ...GROUPS,
    ...BEHIND,
    ...['endpoint.missing', 'endpoint.missing: no host', 'path.partial'],
  ],
  'the server name that is sent in TLS': [
    ...['tls.server-name', 'tls.server-name: unknown to the server', 'path.name-filter'],
  ],
  'this machine’s clock': ['host.clock'],
  'this machine’s clock alone': ['host.clock'],
} as const satisfies Readonly<Record<string, readonly (Reason | Prefix)[]>>;

type What = keyof typeof EXCLUDED_CAUSES;

interface RuledOut {
  readonly text: What;
  readonly evidence: string;
}

interface Proof {
  readonly by: StageName;
  readonly text: What;
  /** The proof behind a proxy: no more than this side of it. */
  readonly proxied?: What;
}

/** The proofs that a passed stage gives about everything before it, the most first. */
const PROVEN: readonly Proof[] = [
  { by: 'http', text: 'the network between here and the service' },
  {
    by: 'tls',
    text: 'the route, security groups and certificate',
    proxied: 'the path to the proxy',
  },
  { by: 'tcp', text: 'the route and the security groups', proxied: 'the path to the proxy' },
  { by: 'dns', text: 'DNS server failure' },
];

/**
 * Lists what a failed link does not fail for: only what was seen to work counts. It may have been seen at one
 * address or in one call, and a cause may lie in another: then it is not ruled out.
 */
export function ruledOut(facts: Facts, causes: readonly Cause[]): LinkResult['ruledOut'] {
  const codes = failedReasons(facts.findings);
  if (codes.length === 0 || codes.some((code) => code.startsWith('run.'))) return [];
  const reasons = causes.map(reasonOfCause);
  const isCause = (start: Reason | Prefix) =>
    reasons.some((one) => (start.endsWith('.') ? one?.startsWith(start) : one === start));
  const holds = ({ text }: RuledOut) => !EXCLUDED_CAUSES[text].some(isCause);
  return [
    // What the last stage proves may contradict a cause that an earlier one leaves possible.
    ...byStages(facts).filter(holds).slice(0, 1),
    ...[...byProbes(facts), ...byClock(facts)].filter(holds),
  ];
}

/**
 * Lists what stages prove: only what was seen to work on every address; one that must not be
 * dialled is none of these.
 */
function byStages(facts: Facts): RuledOut[] {
  const { findings, proxy } = facts;
  if (failedReasons(findings).some((code) => code.startsWith('address.'))) return [];
  const isOpen = isPathOpen(facts);
  return PROVEN.flatMap(({ by, text, proxied = text }) => {
    const ofStage = findings.filter(({ stage }) => stage === by);
    if (ofStage.length === 0 || !ofStage.every(isGood) || (by === 'http' && isOpen)) return [];
    const logId = ofStage.find(({ logId: id }) => id)?.logId;
    const evidence = `${by} passed${logIdText(logId)}`;
    return { text: proxy === undefined ? text : proxied, evidence };
  });
}

/**
 * Tells whether the way to the service stays open as a cause: something else answers a call, or one out of a
 * cache, a later call is lost, or is refused and may not have arrived as it was sent. What is answered
 * after a failure says nothing of what made it.
 */
function isPathOpen(facts: Facts): boolean {
  const hasArrived = ['no-authorization', 'server-time'].some((name) =>
    facts.probes.some((probe) => probe.name === name && probe.ok && !probe.evidence.isSame),
  );
  return facts.findings.some((finding) => {
    if (finding.status !== 'failed') return false;
    const isOther = OF_ANYBODY.test(reasonOf(finding) ?? '') || isFromCache(finding);
    return isOfTime(finding) || isOther || (isUnexplained(finding) && !hasArrived);
  });
}

function byProbes(facts: Facts): RuledOut[] {
  const failedCode = failedReasons(facts.findings)[0];
  const isUndialled = /^(dns|address)\./.test(failedCode ?? '');
  const pinned = isUndialled ? findProbes(facts, 'pinned-address').find(({ ok }) => ok) : undefined;
  const names = findOtherNames(facts);
  const isSame = names.length > 0 && names.every((one) => reasonOf(one) === failedCode);
  const found: (RuledOut | false | undefined)[] = [
    pinned && {
      text: 'the endpoint, its security group and the route to it',
      evidence: `${pinned.changed} answers as the service${logIdText(pinned.evidence.logId)}`,
    },
    isSame && {
      text: 'the server name that is sent in TLS',
      evidence: `${failedCode} also ${names.map(({ changed }) => wayToSend(changed)).join(', ')}`,
    },
  ];
  return found.flatMap((one) => one || []);
}

/** Failures that the clock can be behind: of the JWT, and of a certificate’s time. */
const OF_CLOCK = /^(token\.|tls\.expired|host\.clock: JWT out of time$)|: token call$/;

/** The clock matters only to what depends on it, and a JWT may be refused for less than `Date` shows. */
function byClock(facts: Facts): RuledOut[] {
  if (serverTimeOutcome(facts) === 'refused') {
    const evidence = 'a JWT signed by the server’s clock is refused too';
    return [{ text: 'this machine’s clock alone', evidence }];
  }
  const failed = facts.findings.filter(({ status }) => status === 'failed');
  const timed = failed.filter((one) => OF_CLOCK.test(reasonOf(one) ?? ''));
  const ends = timed.flatMap(({ evidence }) => [evidence.outOfTimeFrom, evidence.outOfTimeTo]);
  const isClose = ends.some(
    (end) => Math.abs(Date.parse(`${end}`) - Date.now()) <= SKEW_WARNING_MS,
  );
  const skewMs = measuredSkew(facts);
  if (timed.length === 0 || timed.some(isOpenRefusal) || isClose || skewMs === undefined) return [];
  if (Math.abs(skewMs) > SKEW_WARNING_MS) return [];
  return [{ text: 'this machine’s clock', evidence: `clock skew ${skewMs} ms` }];
}

function logIdText(logId: unknown): string {
  return typeof logId === 'string' ? `, log id ${logId}` : '';
}
