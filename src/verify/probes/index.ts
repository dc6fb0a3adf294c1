import { clock } from './clock.js';
import { largeRequest, noCredential } from './lost-call.js';
import { helloSize, serverNames } from './lost-handshake.js';
import { ownAddress } from './own-address.js';
import { pinnedAddress } from './pinned-address.js';
import type { Probe } from './probe.js';
import { proxy } from './proxy.js';
import { resolvers } from './resolvers.js';
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
