/** Settings of one environment as a file holds them. */
export type Settings = Record<string, unknown>;

/** A key pair as settings name it. */
export interface KeyPair {
  readonly kid: string;
  readonly keyFile: string;
}

/** Facts that are known only when a row runs. */
export interface Facts {
  /** Endpoints of the service that ask for a connection, once the base is deployed. */
  readonly endpointIds: readonly string[];
  /** Key pairs that the service knows. */
  readonly keys: readonly [KeyPair, KeyPair];
  /** Resources that exist beforehand. */
  readonly existing: {
    readonly vpcId: string;
    readonly subnetIds: readonly [zoneA: string, zoneB: string];
    /** Another one in zone A. */
    readonly otherSubnetId: string;
    readonly groupId: string;
    readonly loadBalancerId: string;
  };
}

/** Changes a copy of settings. */
export type SettingsChange = (settings: Settings, facts: Facts) => unknown;

export type Outcome =
  | 'arrives'
  /** The head is refused with a message that names what to do; nothing was changed. */
  | { readonly refusedAt: 'synth' | 'plan'; readonly message: RegExp };

/**
 * A way that was open and then was not: after the step that cut it, until after the step that opened
 * it again. Steps are named as `delete CLB::Listener`.
 */
export interface Cut {
  readonly way: string;
  readonly from: string;
  /** `never`: clients need something new, such as another domain. */
  readonly until: string;
}

/** One everyday change. */
export interface ChangeRow {
  readonly name: string;
  readonly stack: 'api-access' | 'plugin-access';
  /** Settings of the base beyond the smallest ones of the stack. */
  readonly base?: SettingsChange;
  readonly head: SettingsChange;
  /** @default 'arrives' */
  readonly outcome?: Outcome;
  /** Connections that are cut on the way. @default - nothing */
  readonly cut?: readonly Cut[];
  /** True if Terraform may take the two steps of each cut in either order. @default - in this order */
  readonly isCutEitherWay?: true;
  /** True if the plan has nothing to do. @default - it has */
  readonly isNoOp?: boolean;
  /** The keys that the deploy of the head proves, `own` for that of the environment. @default - it checks nothing */
  readonly proves?: (facts: Facts) => readonly string[];
  /** True if every deploy has the check to do again, and nothing else. @default false */
  readonly isCheckedAgain?: boolean;
  /** True if the head has no target that enforces its rules, as a prefix list alone has none. @default false */
  readonly isUnenforced?: boolean;
  /** True if a connection of the service is asked for and accepted before the change. @default false */
  readonly isConnected?: boolean;
}

/** Rows of one stack. */
export function rowsOf(
  stack: ChangeRow['stack'],
  rows: readonly Omit<ChangeRow, 'stack'>[],
): readonly ChangeRow[] {
  return rows.map((row) => ({ stack, ...row }));
}
