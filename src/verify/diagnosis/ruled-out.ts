import { SKEW_WARNING_MS } from '../clock-skew.js';
import type { Finding, LinkResult, StageName } from '../verification.js';
import { type Facts, probesOf } from './facts.js';

type RuledOut = LinkResult['ruledOut'][number];

/** What a passed stage proves about everything before it. */
const PROVEN: readonly { readonly by: StageName; readonly text: string }[] = [
  { by: 'http', text: 'the network between here and the service' },
  { by: 'tls', text: 'the route, security groups and certificate' },
  { by: 'tcp', text: 'the route and the security groups' },
  { by: 'dns', text: 'the DNS server' },
];

/** What a failed link does not fail for: only what was seen to work counts. */
export function ruledOut(facts: Facts): RuledOut[] {
  const codes = facts.findings.flatMap(({ status, code }) =>
    status === 'failed' && code ? [code] : [],
  );
  if (codes.length === 0 || codes.some((code) => code.startsWith('run.'))) return [];
  return [...byStages(facts), ...byProbes(facts), ...byClock(facts)];
}

/** Only what was seen to work on every address. */
function byStages({ findings }: Facts): RuledOut[] {
  const proof = PROVEN.find(({ by }) => {
    const ofStage = findings.filter(({ stage }) => stage === by);
    return ofStage.length > 0 && ofStage.every(isSeen);
  });
  if (proof === undefined) return [];
  const logId = findings.find(({ stage, logId: id }) => stage === proof.by && id)?.logId;
  const evidence = `stage ${proof.by} passed${logId === undefined ? '' : `, log id ${logId}`}`;
  return [{ text: proof.text, evidence }];
}

function byProbes(facts: Facts): RuledOut[] {
  const failedCode = facts.findings.find(({ status }) => status === 'failed')?.code;
  const pinned = probesOf(facts, 'pinned-address').find(({ ok }) => ok);
  const names = probesOf(facts, 'server-name');
  const isSame = names.length > 0 && names.every(({ code }) => code === failedCode);
  const small = probesOf(facts, 'no-credential').find(({ ok }) => ok);
  const large = probesOf(facts, 'large-request').filter(({ changed }) => changed !== 'small');
  return [
    ...(pinned
      ? [
          {
            text: 'the endpoint, its security group and the route to it',
            evidence: `${pinned.changed} answers as the service${logOf(pinned.evidence.logId)}`,
          },
        ]
      : []),
    ...(isSame
      ? [
          {
            text: 'the server name in TLS',
            evidence: `${failedCode} also ${names.map(({ changed }) => (changed === 'none' ? 'without a name' : `as ${changed}`)).join(', ')}`,
          },
        ]
      : []),
    ...(small
      ? [
          {
            text: 'the network as such',
            evidence: `a call without credential is answered at ${small.changed}${logOf(small.evidence.logId)}`,
          },
        ]
      : []),
    ...(large.length > 0 && large.every(({ ok }) => ok)
      ? [{ text: 'the path MTU', evidence: `requests with ${large[0]?.changed} are answered` }]
      : []),
  ];
}

/** The clock matters only to what depends on it. */
function byClock(facts: Facts): RuledOut[] {
  const isTimed = facts.findings.some(
    ({ status, code = '' }) =>
      status === 'failed' && /^(token\.|tls\.(expired|not-yet-valid))/.test(code),
  );
  const found = probesOf(facts, 'clock')[0]?.evidence.skewMs ?? facts.skewMs;
  if (!isTimed || typeof found !== 'number') return [];
  const refusedAgain = probesOf(facts, 'server-time').some(({ ok }) => !ok);
  const evidence = refusedAgain
    ? 'a JWT signed by the server’s clock is refused too'
    : `clock skew ${found} ms`;
  return Math.abs(found) <= SKEW_WARNING_MS || refusedAgain
    ? [{ text: 'this machine’s clock', evidence }]
    : [];
}

function isSeen({ status }: Finding): boolean {
  return status === 'passed' || status === 'warned';
}

function logOf(logId: unknown): string {
  return typeof logId === 'string' ? `, log id ${logId}` : '';
}
