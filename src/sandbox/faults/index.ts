import type { ServicePorts } from '../listeners/service-ports.js';
import { HTTP_FAULTS, TOKEN_FAULTS, WORKSPACES_FAULTS } from './answer-faults.js';
import { CLOUD_FAULTS, type CloudFaultName } from './cloud-faults.js';
import { ADDRESS_FAULTS, DNS_FAULTS, TCP_FAULTS, TLS_FAULTS } from './connection-faults.js';
import { type Fault, faultsOf } from './fault.js';

/** Faults of single connection options; the others strike every way to the API. */
const OPTION_FAULTS = [
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

/** Every fault that a check must find, along the way to the service. */
export const FAULTS = [
  ...DNS_FAULTS,
  ...ADDRESS_FAULTS,
  ...TCP_FAULTS,
  ...TLS_FAULTS,
  ...HTTP_FAULTS,
  ...TOKEN_FAULTS,
  ...WORKSPACES_FAULTS,
  ...OPTION_FAULTS,
  ...BACKEND_FAULTS,
] as const satisfies readonly Fault[];

export type FaultName = (typeof FAULTS)[number]['name'] | CloudFaultName;

/** The rows of the faults that are on, in the order of the table. */
export function activeFaults(active: ReadonlySet<string>): Fault[] {
  return FAULTS.filter(({ name }) => active.has(name));
}

/** The port that takes the calls of a plugin's servers: their own, or what a fault puts in its place. */
export function backendPort(active: ReadonlySet<string>, ports: ServicePorts, own: number): number {
  const row = activeFaults(active).find(({ strikes }) => strikes === 'backend');
  return row?.listener === undefined ? own : ports[row.listener];
}

export function isFaultName(text: string): text is FaultName {
  return [...FAULTS, ...CLOUD_FAULTS].some(({ name }) => name === text);
}

/** The faults that are on now; every change takes effect before the call returns. */
export class FaultSwitch {
  readonly #active: Set<FaultName>;
  readonly #onChange: () => void;

  constructor(initial: Iterable<FaultName>, onChange: () => void) {
    this.#active = new Set(initial);
    this.#onChange = onChange;
  }

  get active(): ReadonlySet<FaultName> {
    return this.#active;
  }

  /** Turns faults on, beside those that are on already. */
  set(...names: FaultName[]): void {
    for (const name of names) this.#active.add(name);
    this.#onChange();
  }

  /** Turns faults off; without names, all of them. */
  clear(...names: FaultName[]): void {
    for (const name of names.length > 0 ? names : [...this.#active]) this.#active.delete(name);
    this.#onChange();
  }
}
