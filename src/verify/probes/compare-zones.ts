import type { SoaRecord } from 'node:dns';
import { withTimeout } from '../../service/http/limits.js';
import type { StopSignal } from '../../service/http/stop-signal.js';
import { transportCode } from '../../service/http/transport-code.js';
import { withResolver } from '../transport/names/resolver-pool.js';

interface Servers {
  /** The server that denies the name. */
  readonly here: string;
  readonly there: string;
  readonly timeoutMs: number;
  readonly signal: StopSignal;
}

interface ZoneComparison {
  /** The zone of the name at the server that denies it, and whose it is. */
  readonly zoneHere?: string;
  readonly zoneThere?: string;
  /** Whether the other server has another zone of that name, or none. Absent where that was not seen. */
  readonly isOtherZone?: boolean;
}

/** Compares the zone that holds a name at one DNS server with the zone of that name at another. */
export async function compareZones(host: string, servers: Servers): Promise<ZoneComparison> {
  const labels = host.split('.');
  const names = labels.map((_, i) => labels.slice(i).join('.'));
  const found = await Promise.all(names.map((name) => zoneAt(servers.here, name, servers)));
  const closest = found.findIndex((zone) => zone !== undefined && zone !== 'none');
  const zoneHere = found[closest];
  if (zoneHere === undefined || found.slice(0, closest).includes(undefined)) return {};
  const zoneThere = await zoneAt(servers.there, names[closest] ?? host, servers);
  if (zoneThere === undefined) return { zoneHere };
  return { zoneHere, zoneThere, isOtherZone: zoneHere !== zoneThere };
}

/** @returns `none` where the name is no zone; undefined where the server does not say */
async function zoneAt(
  server: string,
  name: string,
  { timeoutMs, signal }: Servers,
): Promise<string | undefined> {
  const tryMs = Math.max(1, Math.floor(timeoutMs / 8));
  try {
    const record = await withTimeout(timeoutMs, signal, (own) =>
      withResolver(server, tryMs, own, (resolver) => resolver.resolveSoa(name)),
    );
    return textOf(name, record);
  } catch (error) {
    return transportCode(error, 'dns') === 'dns.not-found' ? 'none' : undefined;
  }
}

/** The serial is left out: it differs for a while between servers of one zone. */
function textOf(name: string, { nsname, hostmaster }: SoaRecord): string {
  return `${name} of ${nsname} ${hostmaster}`.toLowerCase();
}
