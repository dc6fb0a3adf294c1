import type { Fault } from './fault.js';

/** Faults of single connection options; the others strike every way to the API. */
export const OPTION_FAULTS = [
  {
    name: 'address-not-listed',
    only: 'fixed-ip',
    strikes: 'address',
    about: 'the fixed-IP host resolves to an address that is not in the list',
    code: 'address.not-listed',
    never: [
      'address.public',
      'address.unexpected',
      'dns.not-found',
      'endpoint.replaced',
      'endpoint.stale-record',
    ],
  },
  {
    name: 'egress-closed',
    only: 'fixed-ip',
    strikes: 'tcp',
    about: 'egress to the fixed addresses is closed',
    code: 'tcp.timeout',
    never: ['tcp.refused', 'dns.not-found', 'address.unexpected'],
  },
  {
    name: 'connection-pending',
    only: 'private-plugin',
    strikes: 'connection',
    about: "the connection of the service's endpoint is awaiting acceptance",
    code: 'connection.pending',
    never: ['connection.rejected', 'connection.failed'],
  },
  {
    name: 'connection-rejected',
    only: 'private-plugin',
    strikes: 'connection',
    about: "the connection of the service's endpoint is rejected",
    code: 'connection.rejected',
    never: ['connection.pending', 'connection.failed'],
  },
] as const satisfies readonly Fault[];
