import { factsOf } from '../../../codes/codes.js';
import { blocked, failed } from '../../model/findings.js';
import type { RunOptions } from '../../model/options.js';
import { verdictOf } from '../../model/verdict.js';
import type { BackendResult, LinkResult } from '../../model/verification.js';
import { stagesFor } from '../../stages/index.js';
import type { Order } from './messages.js';
import type { PlaceFailure } from './place-process.js';
import type { PlaceReport } from './trusted-report.js';

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
