import { transportCode } from '../../service/http/transport-code.js';
import type { Evidence, ProbeResult } from '../model/verification.js';
import { type Resolution, resolveName } from '../transport/names/resolve-name.js';
import { type ProbeContext, probed } from './probe.js';

/** A name that does not exist is an answer, a server that fails is none. */
export function answerIn(code: string | undefined, { addresses }: Evidence): string | undefined {
  if (code === 'dns.not-found') return 'no address';
  return addresses === undefined ? undefined : String(addresses);
}

/** @returns the same form for a question that is asked now; the code of a failure */
async function saidOf(ask: () => Promise<Resolution>): Promise<string> {
  try {
    const { addresses } = await ask();
    return addresses.join(', ');
  } catch (error) {
    const code = transportCode(error, 'dns');
    return code === 'dns.not-found' ? 'no address' : code;
  }
}

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
