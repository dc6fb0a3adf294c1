import { type CodeFacts, EXIT } from '../code-facts.js';

/** Causes that lie with the routes from this machine. */
export const ROUTE_CODES = {
  'route.missing': {
    title: 'A route is missing',
    cause: 'No route leads from here to the address: peering, VPN or transit is not set up for it.',
    remedy: 'Add the route, or run the check inside the private network.',
    look: 'the route table of this machine’s subnet, and that of the return path',
    kind: 'final',
    exit: EXIT.tcp,
  },
  'route.family': {
    title: 'The IPv4 or the IPv6 path is broken',
    cause: 'Addresses of the other family work.',
    remedy: 'Check alone with --family 4 or --family 6; remove the records that lead nowhere.',
    kind: 'final',
    exit: EXIT.tcp,
  },
} as const satisfies Record<string, CodeFacts>;
