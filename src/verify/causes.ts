import type { Finding, LinkResult, StageName } from './verification.js';

/** What the failures say, the earliest stage first. */
export function causesOf(findings: readonly Finding[]): LinkResult['causes'] {
  return findings
    .filter(({ status }) => status === 'failed')
    .map(({ code = '', cause = '', address, evidence }) => ({
      code,
      text: cause,
      evidence: Object.entries({ ...(address !== undefined && { address }), ...evidence })
        .map(([name, value]) => `${name}=${value}`)
        .join(', '),
    }));
}

/** What a passed stage proves about everything before it. */
const PROVEN: readonly { readonly by: StageName; readonly text: string }[] = [
  { by: 'http', text: 'the network between here and the service' },
  { by: 'tls', text: 'the route, security groups and certificate' },
  { by: 'tcp', text: 'the route and the security groups' },
  { by: 'dns', text: 'the DNS server' },
];

/** What a failed link does not fail for: only what was seen to work on every address counts. */
export function ruledOutBy(findings: readonly Finding[]): LinkResult['ruledOut'] {
  const codes = findings.flatMap(({ status, code }) => (status === 'failed' && code ? [code] : []));
  if (codes.length === 0 || codes.some((code) => code.startsWith('run.'))) return [];
  const proof = PROVEN.find(({ by }) => {
    const ofStage = findings.filter(({ stage }) => stage === by);
    return ofStage.length > 0 && ofStage.every(isSeen);
  });
  if (proof === undefined) return [];
  const logId = findings.find(({ stage, logId: id }) => stage === proof.by && id)?.logId;
  const evidence = `stage ${proof.by} passed${logId === undefined ? '' : `, log id ${logId}`}`;
  return [{ text: proof.text, evidence }];
}

function isSeen({ status }: Finding): boolean {
  return status === 'passed' || status === 'warned';
}
