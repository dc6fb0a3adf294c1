import type { Route } from '../../sandbox/network/world.js';

/** `partly` where some addresses of a name, or some clients, are open and others are not. */
export type WayState =
  | Route
  | 'partly'
  | 'no-name'
  | 'public'
  | 'no-listener'
  | 'refused'
  | 'unreachable';
