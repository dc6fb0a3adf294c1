import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { compareAddresses, parseAddress } from '../../net/address.js';
import { errorName, transportCode } from '../../service/transport-code.js';
import { withTimeout } from '../../service/with-timeout.js';
import { failed, passed, skipped } from '../findings.js';
import type { LinkContext } from '../link-context.js';
import { withResolver } from '../resolver-pool.js';
import type { Stage } from '../stage.js';

const STEPS = 5;

/** Resolves the host once; every later stage works with these addresses. */
export const dns: Stage = {
  name: 'dns',
  run: async (context) => {
    const { host, run, seen } = context;
    if (isIP(host) !== 0) {
      seen.addresses = [host];
      const finding = skipped('dns', 'the base URL names an address');
      return { findings: [finding], goOn: true };
    }
    const start = performance.now();
    const server = run.dnsServer ?? 'system';
    try {
      seen.addresses = sorted(await resolve(context));
      const evidence = { host, server, addresses: seen.addresses.join(', ') };
      const finding = passed('dns', { elapsedMs: performance.now() - start, evidence });
      return { findings: [finding], goOn: true };
    } catch (error) {
      const finding = failed('dns', transportCode(error, 'dns'), {
        elapsedMs: performance.now() - start,
        evidence: { host, server, error: errorName(error) },
      });
      return { findings: [finding], goOn: false };
    }
  },
};

async function resolve({ host, run, budgetMs, signal }: LinkContext): Promise<string[]> {
  const timeoutMs = budgetMs(STEPS);
  const { dnsServer } = run;
  return await withTimeout(timeoutMs, signal, (ownSignal) =>
    dnsServer === undefined ? askSystem(host) : askServer(host, dnsServer, timeoutMs, ownSignal),
  );
}

async function askSystem(host: string): Promise<string[]> {
  const entries = await lookup(host, { all: true, verbatim: true });
  return entries.map(({ address }) => address);
}

/** IPv4 and IPv6 are asked for at once; one of them is enough. */
async function askServer(
  host: string,
  server: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string[]> {
  return await withResolver(server, Math.max(1, Math.floor(timeoutMs / 4)), signal, async (dns) => {
    const answers = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)]);
    const addresses = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? answer.value : [],
    );
    if (addresses.length > 0) return addresses;
    throw worst(answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : [])));
  });
}

/** An answer that says "no" for one family does not excuse a server that fails for the other. */
function worst(errors: readonly unknown[]): unknown {
  return errors.find((error) => transportCode(error, 'dns') !== 'dns.not-found') ?? errors[0];
}

function sorted(addresses: readonly string[]): string[] {
  const unique = [...new Set(addresses)];
  try {
    return unique.sort((a, b) => compareAddresses(parseAddress(a), parseAddress(b)));
  } catch {
    return unique.sort();
  }
}
