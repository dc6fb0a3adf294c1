/** What a dial can meet; each is a port on loopback. */
export const LISTENER_KINDS = [
  'https',
  'http',
  'untrusted',
  'expired',
  'intermediate-expired',
  'not-yet-valid',
  'weak-key',
  'wrong-name',
  'api-host-only',
  'client-certificate',
  'name-filter',
  'narrow',
  'mute',
  'silent',
  'reset',
  'refusing',
  'black-hole',
] as const;
export type ListenerKind = (typeof LISTENER_KINDS)[number];
