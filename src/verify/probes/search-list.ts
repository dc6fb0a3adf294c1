import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { transportCode } from '../../service/http/transport-code.js';
import type { ProbeResult } from '../model/verification.js';
import { resolveHost } from '../stages/dns.js';
import type { Attempt } from '../transport/context.js';
import { probed } from './probe.js';

/** As many as the C library looks at. */
const MAX_DOMAINS = 6;

/**
 * Asks one of the system's DNS servers for the host below each domain of the search list: a domain that
 * answers every name lends the system's resolver an address that the host itself does not have.
 *
 * @param before the answer of the system's resolver
 */
export async function searchList(
  context: Attempt,
  server: string,
  before: string,
): Promise<readonly ProbeResult[]> {
  if (isIP(context.host) !== 0 || context.host.endsWith('.')) return [];
  return await Promise.all(
    (await searchDomains()).map((domain) => {
      const host = `${context.host}.${domain}`;
      return probed('search-list', host, async () => {
        try {
          const { addresses } = await resolveHost({ ...context, host }, 1, { server });
          const text = addresses.join(', ');
          return { ok: text === before, evidence: { addresses: text } };
        } catch (error) {
          return { ok: false, code: transportCode(error, 'dns'), evidence: {} };
        }
      });
    }),
  );
}

/** The last line of its kind counts, and the environment before the file. */
async function searchDomains(): Promise<readonly string[]> {
  const own = process.env.LOCALDOMAIN;
  const file = own === undefined ? await readFile('/etc/resolv.conf', 'utf8').catch(() => '') : '';
  const lines = [...file.matchAll(/^\s*(?:search|domain)\s+(.+)$/gm)].map(([, list = '']) => list);
  const domains = (own ?? lines.at(-1) ?? '').split(/\s+/).map((name) => name.replace(/\.$/, ''));
  return domains.filter((name) => name !== '').slice(0, MAX_DOMAINS);
}
