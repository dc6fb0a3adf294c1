import { getServers } from 'node:dns';
import { isIP } from 'node:net';
import { reasonOf } from '../../codes/codes.js';
import { tryAddress } from '../../net/address.js';
import { isPrivateAddress } from '../../net/cidr.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import type { Evidence, ProbeResult } from '../model/verification.js';
import { problemOfAddress } from '../stages/address.js';
import { resolveHost } from '../stages/dns.js';
import { parseDnsServer } from '../transport/addresses.js';
import type { Attempt } from '../transport/context.js';
import { isDenial, type Resolution } from '../transport/resolve-name.js';
import { failedOnTheWay, failedWith, type Probe, probed } from './probe.js';

/** The number of servers that the system's resolver looks at. */
const MAX_OWN = 3;

/** Asks other DNS servers: the ones to compare with, and the system's own without its resolver. */
export const resolvers: Probe = async (context) => {
  const servers = serversFor(context);
  const asked = context.run.dnsServer ?? 'system';
  const { answer, reason } = firstAnswer(context);
  const before = answer ?? reason;
  // An answer that changes at each question is no record's fault.
  if (servers.length === 0 && !failedWith(context, /^(address|dns)\./)) return [];
  // A server whose answers alternate would otherwise look like two that differ.
  const again = await askAgain(context, asked, before);
  const others = await Promise.all(servers.map((server) => ask(context, server)));
  const differing = others.filter((one) => answerIn(one) !== before);
  if (answer === undefined || differing.length === 0) return [...again, ...others];
  const own = differing.filter(({ evidence }) => evidence.isOwn === true);
  const third = await askAgain(context, asked, before);
  const sameOwn = await Promise.all(
    own.map((one) => askAgain(context, one.changed, answerIn(one))),
  );
  return [...again, ...others, ...third, ...sameOwn.flat()];
};

/**
 * Returns the DNS answer of this check; without an answer if it failed, empty if none was asked.
 */
export function firstAnswer({ findings }: Pick<Attempt, 'findings'>) {
  const { code, evidence = {} } = findings.find(({ stage }) => stage === 'dns') ?? {};
  const { server, error } = evidence;
  const stated = { code, evidence };
  return { server, error, reason: reasonOf(stated), answer: answerIn(stated) };
}

/** Asks one DNS server, or the system's resolver, again. */
async function askAgain(
  context: Attempt,
  server: string,
  before: string | undefined,
): Promise<ProbeResult[]> {
  if (before === undefined) return [];
  const result = await probed('same-resolver', server, async () => {
    const again = await resolveAt(context, server, 2).then(
      ({ addresses }) => addresses.join(', '),
      (error) => {
        const reason = transportCode(error, 'dns');
        return isDenial(reason) ? NO_ADDRESS : reason;
      },
    );
    return { ok: again === before, evidence: { before, answers: again } };
  });
  return [result];
}

function resolveAt(context: Attempt, server: string, steps: number): Promise<Resolution> {
  return resolveHost(context, steps, { server: server === 'system' ? undefined : server });
}

function serversFor(context: Attempt): string[] {
  const { host, given, run, proxy } = context;
  if (isIP(host) !== 0) return [];
  const isResolved = proxy === undefined && given.length === 0;
  // Only where the system's resolver was asked is there something to compare its servers with.
  const asksOwn = isResolved && run.dnsServer === undefined && failedOnTheWay(context);
  const asked = run.dnsServer ?? 'system';
  const servers = new Set([...run.compareResolvers, ...(asksOwn ? ownServers() : [])]);
  return [...servers].filter((server) => server !== asked);
}

function ownServers(): string[] {
  return getServers().slice(0, MAX_OWN).flatMap(tryParse);
}

function ask(context: Attempt, server: string): Promise<ProbeResult> {
  const { run, link, isPlain } = context;
  const isOwn = (run.dnsServer === undefined && ownServers().includes(server)) || undefined;
  return probed('resolver', server, async () => {
    try {
      const { addresses } = await resolveAt(context, server, 1);
      const evidence = {
        addresses: addresses.join(', '),
        isPrivate: addresses.every(isPrivate),
        isExpected: addresses.every((text) => problemOfAddress(link, isPlain, text) === undefined),
        isOwn,
      };
      return { ok: true, evidence };
    } catch (error) {
      const { detail } = error as { detail?: string };
      const evidence = { error: errorName(error), detail, isOwn };
      return { ok: false, reason: transportCode(error, 'dns'), evidence };
    }
  });
}

export function isPrivate(text: string): boolean {
  const address = tryAddress(text);
  return address !== undefined && isPrivateAddress(address);
}

/** The system may name a server in a form that is not asked here, such as one with a zone index. */
function tryParse(server: string): string[] {
  try {
    return [parseDnsServer(server)];
  } catch {
    return [];
  }
}

const NO_ADDRESS = 'no address';

/** A name that does not exist is an answer, a server that fails is none. */
export function answerIn(stated: {
  readonly code?: string | undefined;
  readonly evidence: Evidence;
}): string | undefined {
  const { addresses } = stated.evidence;
  if (isDenial(reasonOf(stated))) return NO_ADDRESS;
  return addresses === undefined ? undefined : String(addresses);
}
