import { BlockList, isIP } from 'node:net';

/** One packet, as a rule sees it; the peer is an address, or a name such as `group:sg-1`. */
export interface Packet {
  readonly peer: string;
  readonly protocol: string;
  readonly port: number;
}

/** Tells whether a CIDR or an address holds an address, by Node's own arithmetic; undefined for no CIDR. */
export function contains(cidr: string, address: string): boolean | undefined {
  const key = `${cidr} ${address}`;
  if (!answers.has(key)) answers.set(key, check(cidr, address));
  return answers.get(key);
}

const answers = new Map<string, boolean | undefined>();

function check(cidr: string, address: string): boolean | undefined {
  const [network = '', bits] = cidr.split('/');
  const family = isIP(network);
  const longest = family === 4 ? 32 : 128;
  const length = bits === undefined ? longest : Number(bits);
  if (family === 0 || !(length >= 0 && length <= longest)) return undefined;
  if (isIP(address) !== family) return false;
  const list = new BlockList();
  const name = family === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(network, length, name);
  return list.check(address, name);
}

/** Addresses at and next to both ends of every CIDR in a text. */
export function addressesAround(json: string): string[] {
  const found = new Set(['8.8.8.8', '10.20.0.9', '2001:db8::1']);
  for (const [, text = '', bits] of json.matchAll(/"(\d+\.\d+\.\d+\.\d+)(?:\/(\d+))?"/g)) {
    if (isIP(text) !== 4) continue;
    const number = text.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
    const size = 2 ** (32 - Number(bits ?? 32));
    const first = Math.floor(number / size) * size;
    for (const at of [first - 1, first, first + size - 1, first + size]) {
      if (at >= 0 && at < 2 ** 32)
        found.add([24, 16, 8, 0].map((n) => Math.floor(at / 2 ** n) % 256).join('.'));
    }
  }
  for (const [, text = ''] of json.matchAll(/"([0-9a-f:]+:[0-9a-f:]*)(?:\/\d+)?"/gi)) {
    if (isIP(text) !== 6) continue;
    found.add(text);
    if (text.endsWith('::')) for (const host of [1, 2, 3, 4]) found.add(`${text}${host}`);
  }
  return [...found];
}

/** Ports at and next to every number in a text that could be one. */
export function portsAround(json: string): number[] {
  const found = new Set([1, 22, 443, 65535]);
  for (const [, text = ''] of json.matchAll(
    /"(?:port|port_start|port_end|start_port|end_port|dest_port)": ?"?(\d+(?:\/\d+)?)/g,
  )) {
    for (const port of text.split('/').map(Number)) {
      for (const at of [port - 1, port, port + 1]) if (at >= 0 && at <= 65535) found.add(at);
    }
  }
  return [...found];
}
