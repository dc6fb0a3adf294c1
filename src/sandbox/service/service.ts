import type { FaultName } from '../faults/index.js';
import { API_HOST, SANDBOX_SERVICE, type ServiceNames, STATIC_API_HOST } from '../internet.js';
import { makeAuthority } from '../listeners/certificates.js';
import { type Listeners, openListeners } from '../listeners/service-ports.js';
import { type Application, applicationUnder } from './application.js';
import { ChatStore } from './chat-store.js';
import { serviceHandler } from './handler.js';
import { TokenStore } from './token-store.js';

export { API_HOST, STATIC_API_HOST };

const BEHIND_MS = 10 * 60 * 1000;
/** Less than the life of a JWT. */
const AHEAD_MS = 2 * 60 * 1000;

export interface ServiceOptions {
  /** As it is at the time of each call. */
  readonly application: () => Application;
  readonly enterpriseId: string;
  /** The parents of endpoints' domains. */
  readonly endpointSuffixes: readonly string[];
  /** @default - the sandbox's own */
  readonly names?: ServiceNames;
  readonly faults: () => ReadonlySet<FaultName>;
  /** How many polls find a chat in progress. @default 1 */
  readonly chatPolls?: number;
}

/** The running service: its ports, and the authority that its clients must trust (PEM). */
export interface Service extends Listeners {
  readonly caCertificate: string;
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const { application, enterpriseId, faults, names = SANDBOX_SERVICE } = options;
  const handler = serviceHandler({
    apiHosts: names.apiHosts,
    enterpriseId,
    tokens: new TokenStore(),
    chats: new ChatStore(options.chatPolls ?? 1),
    faults,
    application: () => applicationUnder(faults(), application()),
    now: () => Date.now() + offsetUnder(faults()),
  });
  const certified = [
    ...names.apiHosts,
    ...names.fixedIpHosts,
    ...names.tlsNames,
    ...options.endpointSuffixes.map((suffix) => `*.${suffix}`),
  ];
  const [trusted, untrusted] = await Promise.all([
    makeAuthority('Sandbox Throw-away CA'),
    makeAuthority('Another CA'),
  ]);
  const listeners = await openListeners(handler, certified, trusted, untrusted);
  return { ...listeners, caCertificate: trusted.cert };
}

function offsetUnder(faults: ReadonlySet<FaultName>): number {
  if (faults.has('clock-skew')) return -BEHIND_MS;
  return faults.has('clock-ahead') ? AHEAD_MS : 0;
}
