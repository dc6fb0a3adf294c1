import type { SecureContext } from 'node:tls';
import type { RunOptions } from '../model/options.js';
import type { Finding } from '../model/verification.js';
import type { Rerouter } from './connect-to.js';
import type { DialledHosts } from './contacted-hosts.js';
import type { GivenAddresses } from './names/given-addresses.js';
import type { ProxyTarget } from './proxy/proxy-target.js';
import type { Signer } from './signer.js';

/** What all links of a run share, but for what was dialled. */
export interface RunContext {
  readonly options: RunOptions;
  readonly rerouter: Rerouter;
  /** What is trusted. To read the default roots takes longer than a handshake, so it is done once. */
  readonly secureContext: () => SecureContext;
  readonly dnsServer: string | undefined;
  /** `IP:PORT`, or `system`. */
  readonly compareResolvers: readonly string[];
  readonly givenAddresses: GivenAddresses;
  /** Undefined: the direct way. */
  readonly proxy: ProxyTarget | undefined;
  /** What came of a large ClientHello, by host. */
  readonly largeHellos: Map<string, Promise<readonly Finding[]>>;
  /** Of the link that is checked. */
  readonly dialled: DialledHosts;
  /** Of all links and attempts. */
  readonly signer: Signer;
}
