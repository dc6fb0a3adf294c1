import { ConnectivityError } from '../../codes/connectivity-error.js';
import { issueText } from '../../codes/issue-text.js';
import { linkSchema } from '../../link/link.js';
import { FIXED_CIDRS } from '../../net/fixed-addresses.js';
import { parseBaseUrl } from '../../service/http/base-url.js';
import type { VerifiableLink } from '../../verify/model/options.js';
import type { Flags } from './flags/table.js';

const FLAG_NAMES = {
  baseUrl: '--base-url',
  allowPlainHttp: '--allow-plain-http',
  apiHost: '--api-host',
};

function flagOf(path: string): string {
  return Object.entries(FLAG_NAMES).find(([field]) => field === path)?.[1] ?? path;
}

/** Where nothing else is expected of a fixed-IP link, the addresses that the service names are. */
function shippedAddresses({ via, expectNetwork }: Flags): readonly string[] {
  return via === 'fixed-ip' && expectNetwork === undefined ? FIXED_CIDRS : [];
}

/** The link that `--base-url` and the flags beside it describe. @throws ConnectivityError */
export function linkByHand(flags: Flags): VerifiableLink {
  const { baseUrl = '', via, apiHost, tlsServerName, allowPlainHttp } = flags;
  for (const [flag, value] of [
    ['--via', via],
    ['--api-host', apiHost],
  ] as const) {
    if (value === undefined) {
      throw new ConnectivityError('usage.invalid', `\`--base-url\` needs \`${flag}\` beside it`);
    }
  }
  parseBaseUrl(baseUrl, allowPlainHttp ?? false, FLAG_NAMES);
  const result = linkSchema.safeParse(
    {
      name: 'link',
      via,
      baseUrl,
      apiHost,
      expectedAddresses: flags.expectAddress ?? shippedAddresses(flags),
      expectedNetworks: flags.expectNetwork ?? [],
      ...(flags.zone && { zones: [...flags.zone] }),
      ...(flags.privateZone && { privateZone: true }),
      ...(tlsServerName !== undefined && { tlsServerName }),
    },
    { reportInput: true },
  );
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => issueText(issue, flagOf));
  throw new ConnectivityError('usage.invalid', problems.join('; '));
}
