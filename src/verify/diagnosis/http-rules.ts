import { isGood } from '../model/findings.js';
import type { Evidence, Finding } from '../model/verification.js';
import { LARGE_IN_SMALL_PACKETS } from '../probes/lost-packets.js';
import { type Candidate, type Facts, findProbes, pick, type Rule, weigh } from './facts.js';
import { partialFailure, unlessPartial } from './shared-candidates.js';

/** The stages whose answers have a log id to quote for a call after them. */
const CALLS: readonly string[] = ['http', 'token'];

/** A request, or its answer, that is lost. */
export const lostRequest: Rule = (facts, failures) => {
  const { error = '' } = failures[0].evidence;
  const bySize = lostBySize(facts);
  if (bySize.length > 0) return bySize;
  const answers = otherAnswers(facts, failures);
  if (answers !== undefined) return weigh({ error, ...answers }, { 'service.call-lost': 60 });
  const partial = partialFailure(facts, failures);
  if (partial.length > 0) return partial;
  return weigh({ error }, { 'endpoint.no-target': 60, 'path.filter': 40 });
};

/** Something else than the service answers. */
export const stranger = unlessPartial((facts, failures) => {
  const evidence = pick(failures[0].evidence, 'httpStatus', 'error', 'contentType', 'body');
  const answers = evidence.httpStatus === undefined ? otherAnswers(facts, failures) : undefined;
  return [
    ...(answers === undefined
      ? weigh(evidence, { 'endpoint.wrong-service': 60 })
      : weigh({ ...evidence, ...answers }, { 'path.gateway': 60 })),
    ...weigh(evidence, { 'path.inspection': 50 }),
  ];
});

/** The service answers other calls over the same path; something in front of it answers this one. */
export const gateway: Rule = (_, failures) => {
  const { httpStatus = '', problem = '' } = failures[0].evidence;
  return weigh({ httpStatus, problem }, { 'path.gateway': 60, 'path.inspection': 40 });
};

/**
 * What the service answered over the very paths on which the failing calls were lost.
 *
 * @returns undefined where one of these paths carried no answer
 */
function otherAnswers(facts: Facts, failures: readonly Finding[]): Evidence | undefined {
  const answers = failures.map(({ address }) =>
    address === undefined ? seenByStage(facts) : seenByProbe(facts, address),
  );
  return answers.includes(undefined) ? undefined : answers[0];
}

/** A call of a later stage goes over the path on which this one saw the service. */
function seenByStage({ findings }: Facts): Evidence | undefined {
  const isSeen = findings.some((finding) => finding.stage === 'http' && isGood(finding));
  const logId = findings.findLast(({ stage, logId: id }) => CALLS.includes(stage) && id)?.logId;
  if (!isSeen) return undefined;
  return { answered: 'the call before', ...(logId !== undefined && { logId }) };
}

function seenByProbe(facts: Facts, address: string): Evidence | undefined {
  const small = findProbes(facts, 'no-credential').find(
    ({ ok, changed }) => ok && changed === address,
  );
  if (small === undefined) return undefined;
  return { answered: `a call without credential at ${address}`, ...pick(small.evidence, 'logId') };
}

/** A call that works small and is lost large, twice: once would say nothing of sizes. */
function lostBySize(facts: Facts): Candidate[] {
  const tries = findProbes(facts, 'large-request');
  const small = tries.find(({ changed }) => changed === 'small');
  const slow = tries.find(({ changed }) => changed === LARGE_IN_SMALL_PACKETS);
  const large = tries.filter((one) => one !== small && one !== slow);
  const isLost = large.length > 1 && large.every(({ ok, code }) => !ok && code === 'http.timeout');
  if (!isLost || !small?.ok) return [];
  const evidence = Object.fromEntries(
    tries.map(({ changed, ok, code = '' }) => [changed, ok ? 'answered' : code]),
  );
  if (slow === undefined || slow.ok) {
    return [{ code: 'path.mtu', weight: 80, isShown: slow?.ok === true, evidence }];
  }
  // It is the size of the request that matters, rather than that of its packets.
  return weigh(evidence, { 'path.filter': 60, 'path.mtu': 50 });
}
