import { isIP } from 'node:net';
import { safeText } from '../../codes/redact.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import { failed, passed, skipped, warned } from '../model/findings.js';
import type { Finding } from '../model/verification.js';
import { stagesLeft } from '../model/verification-names.js';
import { lackOf } from '../transport/addresses.js';
import type { LinkContext, Stage } from '../transport/context.js';
import { isDenial, type Resolution, resolveName } from '../transport/resolve-name.js';

const STEPS = stagesLeft('dns');

/** Resolves the host once; every later stage works with these addresses. */
export const dns: Stage = async (context) => {
  const { host, given, seen } = context;
  if (given.length > 0) return [without(context, given, 'the addresses are given')];
  if (isIP(host) !== 0) return [without(context, [host], 'the base URL names an address')];
  if (context.proxy !== undefined) {
    seen.addresses = [host];
    return [skipped('dns', 'the proxy resolves the name')];
  }
  return [await resolve(context)];
};

async function resolve(context: LinkContext): Promise<Finding> {
  const { host, run, seen } = context;
  const start = performance.now();
  const asked = { host, server: run.dnsServer ?? 'system', family: run.options.family };
  try {
    const { addresses, alias, ipv4Ms, ipv6Ms, failed: one } = await resolveHost(context, STEPS);
    seen.addresses = addresses;
    const evidence = { ...asked, alias, addresses: addresses.join(', '), ipv4Ms, ipv6Ms };
    const elapsedMs = performance.now() - start;
    if (one === undefined) return passed('dns', { elapsedMs, evidence });
    const odd = { ...evidence, fails: `${one.record}: ${describe(one.error)}` };
    return warned('dns', 'dns.server-failed: one IP family', { elapsedMs, evidence: odd });
  } catch (error) {
    const code = transportCode(error, 'dns');
    const others = isDenial(code) ? await ofOtherFamily(context) : [];
    const evidence = {
      ...asked,
      error: describe(error),
      addresses: others.length > 0 ? others.join(', ') : undefined,
      own: isDenial(code) ? undefined : await lackOf(),
    };
    const facts = { elapsedMs: performance.now() - start, evidence };
    return failed('dns', others.length > 0 ? 'dns.not-found: no such family' : code, facts);
  }
}

function describe(error: unknown): string {
  const { detail } = error as { detail?: unknown };
  return typeof detail === 'string' ? `${errorName(error)}: ${safeText(detail)}` : errorName(error);
}

/** Looks up the other family if the host has no addresses of the one asked for. */
async function ofOtherFamily(context: LinkContext) {
  if (context.run.options.family === undefined) return [];
  return await resolveHost(context, STEPS, { family: undefined }).then(
    ({ addresses }) => addresses,
    () => [],
  );
}

/**
 * Resolves the host as the check does, but for a change.
 *
 * @param steps that share what is left of the time, this one included
 */
export async function resolveHost(
  { host, run, budgetMs, signal }: LinkContext,
  steps: number,
  change: { readonly server?: string | undefined; readonly family?: undefined } = {},
): Promise<Resolution> {
  const asked = { server: run.dnsServer, family: run.options.family, ...change };
  return await resolveName(host, { ...asked, timeoutMs: budgetMs(steps), signal });
}

/** Nothing is asked for; a family that was chosen still holds. */
function without(
  { run, seen }: LinkContext,
  addresses: readonly string[],
  reason: string,
): Finding {
  const { family } = run.options;
  seen.addresses = addresses.filter((text) => family === undefined || isIP(text) === family);
  if (seen.addresses.length > 0) return skipped('dns', reason);
  const evidence = { addresses: addresses.join(', '), family };
  return failed('dns', 'dns.not-found: no such family', { evidence });
}
