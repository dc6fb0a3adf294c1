import { type Code, isCode } from '../../codes/codes.js';
import { firstFailure, isGood } from '../model/findings.js';
import type { Evidence, Finding, ProbeName, ProbeResult } from '../model/verification.js';
import type { LinkContext } from '../transport/context.js';

/** Everything that is known of a link that failed. */
export interface Facts extends Pick<LinkContext, 'link' | 'host' | 'tlsServerName' | 'proxy'> {
  readonly run: Pick<LinkContext['run'], 'options'>;
  readonly seen: Pick<LinkContext['seen'], 'skewMs'>;
  readonly findings: readonly Finding[];
  readonly probes: readonly ProbeResult[];
}

/** A cause that is possible, before it is ranked. */
export interface Candidate {
  readonly code: Code;
  /** Likelihood among the candidates of the same failure; the highest is reported first. */
  readonly weight: number;
  /** Whether the evidence decides; otherwise it is only consistent with this cause. */
  readonly isShown?: boolean;
  readonly evidence: Evidence;
}

/** The findings that failed with one code. */
export type Failures = readonly [Finding, ...Finding[]];

/** What may lie behind failures. */
export type Rule = (facts: Facts, failures: Failures) => readonly Candidate[];

/** Causes with the same evidence, each with its weight. */
export function weigh(
  evidence: Evidence,
  weights: Readonly<Partial<Record<Code, number>>>,
): Candidate[] {
  return Object.entries(weights).flatMap(([code, weight]) =>
    isCode(code) ? [{ code, weight, evidence }] : [],
  );
}

export function findProbes({ probes }: Facts, name: ProbeName): readonly ProbeResult[] {
  return probes.filter((probe) => probe.name === name);
}

/** Where a stage was seen to work, be it at an expected address that the name does not lead to. */
export function worksSomewhere(facts: Facts, stage: Finding['stage']): Finding[] {
  const resolved = facts.findings.filter(
    (one) => one.stage === stage && one.address !== undefined && isGood(one),
  );
  const pinned = findProbes(facts, 'pinned-address')
    .filter(({ ok }) => ok && facts.link.via === 'private-network')
    .map(({ changed, elapsedMs, evidence }) => {
      return { stage, status: 'passed' as const, address: changed, elapsedMs, evidence };
    });
  return [...resolved, ...pinned];
}

/** What the service refuses a JWT with. Any other error comes after it has taken the JWT, or says nothing of it. */
const REFUSALS: readonly string[] = ['token.invalid-client', 'token.kid-unknown'];

/** What came of the JWT that was signed once more, by the server's clock; undefined where none was. */
export function serverTimeOutcome(facts: Facts): 'accepted' | 'refused' | 'undecided' | undefined {
  const [probe] = findProbes(facts, 'server-time');
  if (probe === undefined) return undefined;
  if (probe.ok) return 'accepted';
  return REFUSALS.includes(probe.code ?? '') ? 'refused' : 'undecided';
}

/** Only a dial that failed shows where the direct way leads. */
export function failedAfterDial({ findings }: Facts): boolean {
  return ['tcp', 'tls', 'http'].includes(firstFailure(findings)?.stage ?? '');
}

/** Those of the named facts that are known, in the order of the names. */
export function pick(evidence: Evidence, ...names: readonly string[]): Evidence {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = evidence[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** @param name the server name of a probe */
export function wayToSend(name: string): string {
  return name === 'none' ? 'without a name' : `as ${name}`;
}

/** The addresses of findings, in one text. */
export function listAddresses(findings: readonly Finding[]): string {
  return findings.flatMap(({ address }) => address ?? []).join(', ');
}
