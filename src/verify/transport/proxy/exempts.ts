import { isIP } from 'node:net';
import { parseAddress } from '../../../net/address.js';
import { cidrContains, parseCidr } from '../../../net/cidr.js';
import type { ProxyClient } from './proxy-clients.js';

/** What is called, as its URL names it. */
export interface CalledHost {
  readonly scheme: 'http' | 'https';
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Whether a client takes an entry of NO_PROXY for a host. Names are compared as text, never resolved. */
export function exempts(client: ProxyClient, entry: string, called: CalledHost): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return holds(client, entry, called.host);
  const { name, port } = splitPort(entry);
  if (port !== undefined && !isPortMeant(client, port, called)) return false;
  return isIP(called.host) === 0
    ? isNameMeant(client, name.toLowerCase(), called.host.toLowerCase())
    : isAddressMeant(client, name.toLowerCase(), called.host.toLowerCase());
}

function isNameMeant(client: ProxyClient, name: string, host: string): boolean {
  const plain = client.starDot ? name.replace(/^\*\./, '.') : name;
  if (!plain.startsWith('.')) {
    return host === plain || (client.nameMeansBelow && host.endsWith(`.${plain}`));
  }
  return host.endsWith(plain) || (client.dotMeansItself && host === plain.slice(1));
}

function isAddressMeant({ ipv6 }: ProxyClient, name: string, host: string): boolean {
  if (isIP(host) === 4) return name === host;
  return (
    (ipv6.includes('plain') && name === host) ||
    (ipv6.includes('bracketed') && name === `[${host}]`)
  );
}

function isPortMeant({ port: rule }: ProxyClient, port: number, called: CalledHost): boolean {
  const isNamed = called.port !== (called.scheme === 'https' ? 443 : 80);
  return port === called.port && (rule === 'always' || (rule === 'named' && isNamed));
}

/** An IPv6 address without brackets has no port. */
function splitPort(entry: string): { name: string; port?: number } {
  const [, name, port] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  return name === undefined ? { name: entry } : { name, port: Number(port) };
}

function holds({ networks }: ProxyClient, entry: string, host: string): boolean {
  try {
    const network = parseCidr(entry);
    return networks.includes(network.family) && cidrContains(network, parseAddress(host));
  } catch {
    return false;
  }
}
