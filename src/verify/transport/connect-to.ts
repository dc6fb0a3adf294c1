import { isIP } from 'node:net';
import { invalidOption } from '../../codes/connectivity-error.js';
import { formatAddress, tryAddress, unmapped } from '../../net/address.js';
import { parsePort, readListed, withoutBrackets } from './addresses.js';

/** The address that a connection dials. */
interface Target {
  readonly address: string;
  readonly port: number;
}

interface Rule {
  readonly from: string;
  readonly firstPort: number;
  readonly lastPort: number;
  readonly target: Target;
}

/** The source of a rule for every address without a rule of its own. */
const ANY = '*';

/** Connects elsewhere, as curl's `--connect-to` does; resolved names and judged addresses stay. */
export class ConnectToRules {
  readonly #rules: readonly string[];
  readonly #field: string;

  /**
   * @param rules `FROM:PORT:ADDRESS:PORT`, several with commas, or `@FILE`, read again at every dial.
   * FROM is a host, an address or `*`, and the first PORT may be a range: `1-65535`
   * @param field named in errors
   */
  constructor(rules: readonly string[], field = 'connectTo') {
    this.#rules = rules;
    this.#field = field;
  }

  /** @throws ConnectivityError `usage.invalid` */
  async read(): Promise<Rule[]> {
    const texts = await readListed(this.#field, this.#rules);
    return texts.map((text) => parseRule(text, this.#field));
  }

  /**
   * A rule for the address comes before one for the host, and that before one for any address.
   *
   * @param address a name where a proxy resolves it; that is not any address
   * @returns undefined: dial the address
   */
  async find(host: string, address: string, port: number): Promise<Target | undefined> {
    if (this.#rules.length === 0) return undefined;
    const rules = await this.read();
    const all = rules.filter((rule) => rule.firstPort <= port && port <= rule.lastPort);
    const wanted = [nameOf(address), nameOf(host), ...(isIP(address) === 0 ? [] : [ANY])];
    const found = wanted.map((name) => all.find(({ from }) => from === name));
    return found.find((rule) => rule !== undefined)?.target;
  }
}

/** One spelling of a host: an IPv6 address has many, and one of IPv4 is also written in IPv6. */
function nameOf(host: string): string {
  const address = tryAddress(unmapped(host));
  return address === undefined ? host.toLowerCase() : formatAddress(address);
}

function parseRule(text: string, field: string): Rule {
  const host = String.raw`\[[^\]]+\]|[^:[\]]+`;
  const [, from = '', first = '', last = first, to = '', toPort = ''] =
    new RegExp(`^(${host}):(\\d+)(?:-(\\d+))?:(${host}):(\\d+)$`).exec(text) ?? [];
  const address = withoutBrackets(to);
  const [firstPort, lastPort, port] = [first, last, toPort].map(parsePort);
  if (
    firstPort === undefined ||
    lastPort === undefined ||
    firstPort > lastPort ||
    port === undefined ||
    isIP(address) === 0
  ) {
    const rule = 'be FROM:PORT:ADDRESS:PORT with IPv6 addresses in brackets';
    throw invalidOption(field, `${rule}, got: "${text}"`);
  }
  return {
    from: nameOf(withoutBrackets(from)),
    firstPort,
    lastPort,
    target: { address, port },
  };
}

/** Addresses by `host:port`, host in lower case, which is how URLs have it. */
export type GivenAddresses = ReadonlyMap<string, readonly string[]>;

/**
 * Reads rules `HOST:PORT:ADDRESS[,ADDRESS]`; an IPv6 address may be in brackets.
 *
 * @throws ConnectivityError `usage.invalid`
 */
export function parseGivenAddresses(rules: readonly string[], field = 'resolve'): GivenAddresses {
  const given = new Map<string, readonly string[]>();
  for (const rule of rules) {
    const [, host = '', port = '', list = ''] = /^([^:[\]]+):(\d+):(.+)$/.exec(rule) ?? [];
    const addresses = list.split(',').map((text) => text.trim().replace(/^\[(.*)\]$/, '$1'));
    if (parsePort(port) === undefined || addresses.some((text) => isIP(text) === 0)) {
      const must = `be HOST:PORT:ADDRESS, more addresses with commas, got: "${rule}"`;
      throw invalidOption(field, must);
    }
    const key = `${host.toLowerCase()}:${Number(port)}`;
    given.set(key, [...(given.get(key) ?? []), ...addresses]);
  }
  return given;
}
