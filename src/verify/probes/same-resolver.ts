import type { ProbeResult } from '../model/verification.js';
import { resolveName } from '../transport/names/resolve-name.js';
import { saidOf } from './dns-answer.js';
import type { ProbeContext } from './probe.js';
import { probed } from './probe-result.js';

/** What one DNS server, or the system's resolver, says when it is asked again. */
export async function askAgain(
  context: ProbeContext,
  server: string,
  before: string,
): Promise<ProbeResult> {
  const { host, run, budgetMs, signal } = context;
  return await probed('same-resolver', server, async () => {
    const options = {
      server: server === 'system' ? undefined : server,
      family: run.options.family,
      timeoutMs: budgetMs(2),
      signal,
    };
    const again = await saidOf(() => resolveName(host, options));
    return { ok: again === before, evidence: { before, answers: again } };
  });
}
