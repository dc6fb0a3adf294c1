import { getServers } from 'node:dns';
import { isIP } from 'node:net';
import { parseAddress } from '../../net/address.js';
import { isPrivateAddress } from '../../net/private-networks.js';
import { errorName, transportCode } from '../../service/transport-code.js';
import { givenFor } from '../given-addresses.js';
import { resolveName } from '../resolve-name.js';
import { problemOfAddress } from '../stages/address.js';
import type { ProbeResult } from '../verification.js';
import { failedWith, type Probe, type ProbeContext } from './probe.js';
import { probed } from './probe-result.js';

/** Asks other DNS servers: the ones to compare with, and the system's own without its resolver. */
export const resolvers: Probe = {
  applies: (context) => {
    const { host, port, run, proxy } = context;
    const asksDns = isIP(host) === 0 && givenFor(run.givenAddresses, host, port).length === 0;
    return asksDns && proxy === undefined && failedWith(context, 'dns.', 'address.');
  },
  run: async (context) => {
    const { dnsServer, compareResolvers } = context.run;
    const own = dnsServer === undefined ? getServers().slice(0, 2) : [];
    const servers = new Set([...compareResolvers, ...own]);
    return await Promise.all(
      [...servers].filter((server) => server !== dnsServer).map((server) => ask(context, server)),
    );
  },
};

function ask(context: ProbeContext, server: string): Promise<ProbeResult> {
  const { host, run, budgetMs, signal, link, isPlain } = context;
  return probed('resolver', server, async () => {
    try {
      const { addresses } = await resolveName(host, {
        server: server === 'system' ? undefined : server,
        family: run.options.family,
        timeoutMs: budgetMs(1),
        signal,
      });
      const evidence = {
        addresses: addresses.join(', '),
        isPrivate: addresses.every(isPrivate),
        isExpected: addresses.every((text) => problemOfAddress(link, isPlain, text) === undefined),
      };
      return { ok: true, evidence };
    } catch (error) {
      return {
        ok: false,
        code: transportCode(error, 'dns'),
        evidence: { error: errorName(error) },
      };
    }
  });
}

function isPrivate(text: string): boolean {
  try {
    return isPrivateAddress(parseAddress(text));
  } catch {
    return false;
  }
}
