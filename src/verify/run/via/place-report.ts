import { type Code, factsOf, isCode } from '../../../codes/codes.js';
import { redactAll } from '../../../codes/redact.js';
import { blocked, failed } from '../../model/findings.js';
import type { RunOptions } from '../../model/options.js';
import { verdictOf } from '../../model/verdict.js';
import type { BackendResult, LinkResult, Verification } from '../../model/verification.js';
import { stagesFor } from '../../stages/index.js';
import type { Order } from './messages.js';
import { PlaceFailure } from './place-process.js';

/** What is taken of a place's report. */
export interface PlaceReport {
  readonly links: readonly LinkResult[];
  readonly backends: readonly BackendResult[];
  readonly environment: Verification['environment'];
  readonly skewMs: number | undefined;
}

/** Longer than any text of a report. */
const LONGEST_TEXT = 2_000;

/**
 * Takes of a report what the place can know, what it saw. What was asked, what a code means and what
 * to do is said from here: whoever holds the place must not be able to say it, or to send a secret or
 * what a terminal obeys.
 *
 * @throws PlaceFailure `run.place-answer`
 */
export function trustedReport(report: Verification, order: Order): PlaceReport {
  const { links, backends = [], environment, skewMs } = cleaned(report) as Verification;
  if (links.length !== order.links.length) throw wrong('links', `${links.length}`);
  return {
    links: links.map((result, i) => trustedLink(result, order.links[i] ?? throwWrong('links'))),
    backends: backends.map((backend) => ({ ...backend, ...known(backend.code) })),
    environment,
    skewMs,
  };
}

function trustedLink(result: LinkResult, link: Order['links'][number]): LinkResult {
  const stages = result.stages.map((stage) => {
    const { code: _, cause: __, remedy: ___, ...seen } = stage;
    const { code } = known(stage.code);
    return code === undefined ? seen : { ...seen, code, ...meaningOf(code) };
  });
  const causes = result.causes.map(({ code: given, certainty, evidence }) => {
    const { code = throwWrong('code') } = known(given);
    const { cause, remedy, look } = factsOf(code);
    return {
      code,
      text: certainty === 'consistent' ? `Consistent with: ${cause}` : cause,
      evidence,
      ...(certainty !== undefined && { certainty }),
      remedy,
      ...(look !== undefined && { look }),
    };
  });
  const { name, via, baseUrl, accessDigest = '', isDigestComputed } = link;
  const verdict = verdictOf(stages);
  const asked = { name, via, baseUrl, accessDigest };
  const { isDigestComputed: _, ...seen } = result;
  const digest = isDigestComputed && { isDigestComputed: true as const };
  return { ...seen, ...asked, ...digest, verdict, stages, causes };
}

function meaningOf(code: Code): { cause: string; remedy: string } {
  const { cause, remedy } = factsOf(code);
  return { cause, remedy };
}

function known(code: string | undefined): { code?: Code } {
  if (code === undefined) return {};
  return { code: isCode(code) ? code : throwWrong('code') };
}

function throwWrong(what: string): never {
  throw wrong(what, 'unknown');
}

function wrong(what: string, got: string): PlaceFailure {
  return new PlaceFailure('run.place-answer', { [what]: got });
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return plain(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [plain(key), cleaned(item)]),
  );
}

function plain(text: string): string {
  return redactAll(text.slice(0, LONGEST_TEXT));
}

/** What is reported where no check could run at a place: nothing is known of its links. */
export function unreachedPlace(
  { links, plugins }: Order,
  { code, evidence }: PlaceFailure,
  { options, attempts, elapsedMs }: { options: RunOptions; attempts: number; elapsedMs: number },
): PlaceReport {
  const [first, ...others] = stagesFor(options).map(({ name }) => name);
  const finding = failed(first ?? 'preflight', code, { evidence, elapsedMs });
  const stages = [finding, ...others.map((name) => blocked(name, finding.stage))];
  const { cause, remedy } = factsOf(code);
  const ended = Object.entries(finding.evidence).map(([name, value]) => `${name}=${value}`);
  return {
    links: links.map(
      ({ name, via, baseUrl, accessDigest = '', isDigestComputed }): LinkResult => ({
        name,
        via,
        baseUrl,
        verdict: verdictOf(stages),
        elapsedMs: Math.round(elapsedMs),
        attempts,
        accessDigest,
        ...(isDigestComputed && { isDigestComputed: true as const }),
        notes: [],
        reroutes: [],
        causes: [{ code, text: cause, evidence: ended.join(', '), remedy }],
        ruledOut: [],
        stages,
      }),
    ),
    backends: plugins.map(
      ({ name, serviceId }): BackendResult => ({
        name,
        serviceId,
        status: 'failed',
        code,
        seen: cause,
        elapsedMs: Math.round(elapsedMs),
      }),
    ),
    environment: undefined,
    skewMs: undefined,
  };
}
