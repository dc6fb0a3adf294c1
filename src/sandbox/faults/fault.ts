import type { Reason } from '../../codes/codes.js';
import type { ListenerKind } from '../listeners/service-ports.js';

/** The part of the way to the service that a fault strikes. */
type FaultStage =
  | 'dns'
  | 'address'
  | 'tcp'
  | 'tls'
  | 'http'
  | 'token'
  | 'workspaces'
  | 'connection'
  | 'backend';

/** An answer that does not come from the service. */
interface StandIn {
  readonly to: 'every-call' | 'calls-with-token';
  readonly answer:
    | 'none'
    | 'connection-cut'
    | {
        readonly status: number;
        readonly headers: Readonly<Record<string, string>>;
        readonly body?: string;
      };
}

/** Something that can be wrong in the sandbox's world, so that a check must fail, and with what. */
export interface Fault {
  readonly name: string;
  readonly strikes: FaultStage;
  readonly about: string;
  /**
   * The one connection option that it can strike.
   * @default - every way to the service's API
   */
  readonly only?: 'fixed-ip-egress' | 'plugin-endpoint-service';
  /** The code that a check must give, with what it has seen where that says more. */
  readonly code: Reason;
  /** Causes that the check must name besides. @default - what the code says for itself */
  readonly causes?: readonly Reason[];
  /**
   * The listener in place of the service, or of a plugin's servers; of several, the first row's.
   * @default - the true one
   */
  readonly listener?: ListenerKind;
  /** The addresses that DNS answers in place of the endpoint's. @default - the truth */
  readonly addresses?: readonly string[];
  /** The server in place of the service. @default - the service */
  readonly standIn?: StandIn;
  /** The flags that a check needs to see it. @default - none */
  readonly flags?: readonly string[];
  /** Codes, of findings or causes, that would send its reader the wrong way. */
  readonly never: readonly Reason[];
}

/** Faults in the way to the service, each with what all of them have in common. */
export function faultsOf<
  const Common extends Pick<Fault, 'strikes' | 'only'>,
  const Rows extends readonly Omit<Fault, 'strikes'>[],
>(common: Common, rows: Rows): (Common & Rows[number])[] {
  return rows.map((row) => ({ ...common, ...row }));
}
