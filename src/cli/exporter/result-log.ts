import type { LinkResult, Verification } from '../../verify/model/verification.js';

/** Says on standard error when a link begins to be seen otherwise than before, and not each time it is seen. */
export class ResultLog {
  readonly #last = new Map<string, string>();

  add({ links }: Verification): void {
    for (const link of links) {
      const now = words(link);
      const before = this.#last.get(link.name) ?? 'reachable';
      this.#last.set(link.name, now);
      if (now !== before) process.stderr.write(`exporter: ${link.name}: ${now}\n`);
    }
  }
}

function words({ verdict, stages }: LinkResult): string {
  const seen = stages
    .filter(({ status }) => status === 'failed' || status === 'warned')
    .map(({ stage, address, code }) => [stage, address, code].filter(Boolean).join(' '));
  return [verdict, ...new Set(seen)].join(', ');
}
