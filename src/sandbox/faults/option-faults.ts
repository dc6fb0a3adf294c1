import { type Fault, faultsOf } from './fault.js';

/** Faults of single connection options; the others strike every way to the API. */
export const OPTION_FAULTS = [
  {
    name: 'address-not-listed',
    only: 'fixed-ip-egress',
    strikes: 'address',
    about: 'the fixed-IP host resolves to an address that is not in the list',
    code: 'address.unexpected: not listed',
    never: [
      'address.unexpected: public',
      'address.unexpected',
      'dns.not-found',
      'address.list-outdated: endpoint replaced',
      'dns.record-wrong: earlier endpoint',
    ],
  },
  {
    name: 'egress-closed',
    only: 'fixed-ip-egress',
    strikes: 'tcp',
    about:
      "the workloads' security group drops all outbound traffic, by a rule that Terraform does not know",
    code: 'tcp.timeout',
    never: ['tcp.refused', 'dns.not-found', 'address.unexpected'],
  },
  ...faultsOf({ strikes: 'connection', only: 'plugin-endpoint-service' }, [
    {
      name: 'connection-pending',
      about: "the connection of the service's endpoint is awaiting acceptance",
      code: 'connection.pending',
      never: ['connection.lost'],
    },
    {
      name: 'connection-rejected',
      about: "the connection of the service's endpoint is rejected",
      code: 'connection.lost',
      never: ['connection.pending'],
    },
  ]),
] as const satisfies readonly Fault[];

/** Faults of the servers that the load balancer of a private plugin calls. */
export const BACKEND_FAULTS = faultsOf({ strikes: 'backend', only: 'plugin-endpoint-service' }, [
  {
    name: 'backend-refused',
    listener: 'refusing',
    about: "nothing listens on the port of the plugin's servers",
    code: 'backend.unhealthy',
    never: [],
  },
  {
    name: 'backend-silent',
    listener: 'silent',
    about: "the plugin's servers accept connections but never answer",
    code: 'backend.unhealthy',
    never: [],
  },
  {
    name: 'backend-not-http',
    listener: 'https',
    about: "the plugin's servers speak TLS behind an HTTP listener",
    code: 'backend.unhealthy',
    never: [],
  },
  {
    name: 'backend-unhealthy',
    listener: 'http',
    about: "the plugin's servers answer the health check with an error",
    code: 'backend.unhealthy',
    never: [],
  },
]);
