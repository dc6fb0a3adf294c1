import type { Code } from '../codes/codes.js';

/** The part of the way to the service that a fault strikes. */
export type Struck =
  | 'dns'
  | 'address'
  | 'tcp'
  | 'tls'
  | 'http'
  | 'token'
  | 'workspaces'
  | 'chat'
  | 'connection';

/** Something that can be wrong in the sandbox's world, so that a check must fail, and with what. */
export interface Fault {
  readonly name: string;
  readonly strikes: Struck;
  readonly about: string;
  /** The one connection option that it can strike. @default - every way to the service's API */
  readonly only?: 'fixed-ip' | 'private-plugin';
  /** The code that a check must give. */
  readonly code: Code;
  /** Causes that the check must name besides. @default - what the code says for itself */
  readonly causes?: readonly Code[];
  /** What a check needs to see it. @default - nothing */
  readonly flags?: readonly string[];
  /** Codes, of findings or causes, that would send its reader the wrong way. */
  readonly never: readonly Code[];
}
