import { getServers } from 'node:dns';
import { isIP } from 'node:net';
import { parseAddress } from '../../net/address.js';
import { isPrivateAddress } from '../../net/cidr.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import type { ProbeResult } from '../model/verification.js';
import { problemOfAddress } from '../stages/address.js';
import { parseDnsServer } from '../transport/names/dns-server.js';
import { givenFor } from '../transport/names/given-addresses.js';
import { resolveName } from '../transport/names/resolve-name.js';
import { compareZones } from './compare-zones.js';
import { answerIn, askAgain } from './dns-answer.js';
import { failedWith, type Probe, type ProbeContext, probed } from './probe.js';

/** As many as the system's resolver looks at. */
const MOST_OWN = 3;

/** Asks other DNS servers: the ones to compare with, and the system's own without its resolver. */
export const resolvers: Probe = {
  applies: (context) => serversFor(context).length > 0,
  run: async (context) => {
    const asked = context.run.dnsServer ?? 'system';
    const before = firstAnswer(context);
    // A server whose answers alternate would otherwise look like two that differ.
    const again = await repeated(context, asked, before);
    const others = await Promise.all(serversFor(context).map((server) => ask(context, server)));
    const differing = others.filter(({ code, evidence }) => answerIn(code, evidence) !== before);
    if (before === undefined || differing.length === 0) return [...again, ...others];
    const own = differing.filter(({ evidence }) => evidence.isOwn === true);
    const third = await repeated(context, asked, before);
    const sameOwn = await Promise.all(
      own.map(({ changed, code, evidence }) =>
        repeated(context, changed, answerIn(code, evidence)),
      ),
    );
    return [...again, ...others, ...third, ...sameOwn.flat()];
  },
};

/** What the DNS server of this check said; undefined where it failed or none was asked. */
function firstAnswer({ findings }: ProbeContext): string | undefined {
  const found = findings.find(({ stage }) => stage === 'dns');
  return found === undefined ? undefined : answerIn(found.code, found.evidence);
}

async function repeated(
  context: ProbeContext,
  server: string,
  before: string | undefined,
): Promise<ProbeResult[]> {
  return before === undefined ? [] : [await askAgain(context, server, before)];
}

function serversFor(context: ProbeContext): string[] {
  const { host, run } = context;
  if (isIP(host) !== 0) return [];
  const own = asksOwn(context) ? ownServers() : [];
  const asked = run.dnsServer ?? 'system';
  return [...new Set([...run.compareResolvers, ...own])].filter((server) => server !== asked);
}

/** Only where the system's resolver was asked is there something to compare its servers with. */
function asksOwn(context: ProbeContext): boolean {
  const { host, port, run, proxy } = context;
  const isResolved = proxy === undefined && givenFor(run.givenAddresses, host, port).length === 0;
  return (
    isResolved &&
    run.dnsServer === undefined &&
    failedWith(context, 'dns.', 'address.', 'tcp.', 'tls.', 'http.')
  );
}

function ownServers(): string[] {
  return getServers().slice(0, MOST_OWN).flatMap(tryParse);
}

function ask(context: ProbeContext, server: string): Promise<ProbeResult> {
  const { host, run, budgetMs, signal, link, isPlain } = context;
  const isOwn = (run.dnsServer === undefined && ownServers().includes(server)) || undefined;
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
        isOwn,
      };
      const zones = evidence.isPrivate ? {} : await zonesOf(context, server);
      return { ok: true, evidence: { ...evidence, ...zones } };
    } catch (error) {
      return {
        ok: false,
        code: transportCode(error, 'dns'),
        evidence: { error: errorName(error), isOwn },
      };
    }
  });
}

/** Why the server of this check denies a name that another one knows. */
async function zonesOf(context: ProbeContext, there: string) {
  const { host, run, budgetMs, signal } = context;
  const here = run.dnsServer ?? ownServers()[0];
  if (!failedWith(context, 'dns.not-found') || here === undefined || there === 'system') return {};
  return await compareZones(host, { here, there, timeoutMs: budgetMs(1), signal });
}

function isPrivate(text: string): boolean {
  try {
    return isPrivateAddress(parseAddress(text));
  } catch {
    return false;
  }
}

/** The system may name a server in a form that is not asked here, such as one with a zone index. */
function tryParse(server: string): string[] {
  try {
    return [parseDnsServer(server)];
  } catch {
    return [];
  }
}
