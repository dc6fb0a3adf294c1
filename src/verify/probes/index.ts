import { clock } from './clock.js';
import { helloSize } from './hello-size.js';
import { largeRequest } from './large-request.js';
import { noCredential } from './no-credential.js';
import { ownAddress } from './own-address.js';
import { pinnedAddress } from './pinned-address.js';
import type { Probe } from './probe.js';
import { proxy } from './proxy.js';
import { resolvers } from './resolvers.js';
import { serverNames } from './server-names.js';
import { serverTime } from './server-time.js';

/** What is tried when a link fails, all at once. */
export const PROBES: readonly Probe[] = [
  resolvers,
  pinnedAddress,
  serverNames,
  helloSize,
  noCredential,
  largeRequest,
  proxy,
  clock,
  serverTime,
  ownAddress,
];
