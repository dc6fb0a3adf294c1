import type { Finding } from '../../model/verification.js';

/** When a stage ran, in milliseconds since the pass began. */
export interface Span {
  readonly finding: Finding;
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Puts findings on a common clock. Where they do not say when they began, stages follow one another,
 * and the addresses of a link go their ways side by side, each step after the one before it.
 */
export function timeline(findings: readonly Finding[]): Span[] {
  const spans: Span[] = [];
  const ends = new Map<string, number>();
  let forkMs = 0;
  let wasOnWay = false;
  for (const finding of findings) {
    const { stage, address } = finding;
    const isOnWay = address !== undefined && stage !== 'address';
    const previous = spans.at(-1)?.finding;
    if (stage !== previous?.stage && !(isOnWay && wasOnWay)) {
      forkMs = Math.max(0, ...spans.map(({ endMs }) => endMs));
    }
    wasOnWay = isOnWay;
    const supposedMs = isOnWay
      ? (ends.get(address) ?? forkMs)
      : (callOf(finding, spans)?.startMs ?? forkMs);
    const startMs = finding.startMs ?? supposedMs;
    const endMs = startMs + finding.elapsedMs;
    if (isOnWay) ends.set(address, endMs);
    spans.push({ finding, startMs, endMs });
  }
  return spans;
}

/** Over TLS, token and service are judged on one and the same call: it is not drawn twice. */
function callOf({ stage, elapsedMs }: Finding, spans: readonly Span[]): Span | undefined {
  if (stage !== 'token' || elapsedMs === 0) return undefined;
  return spans.find(({ finding }) => finding.stage === 'http' && finding.elapsedMs === elapsedMs);
}
