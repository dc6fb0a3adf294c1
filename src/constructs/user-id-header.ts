import { Construct } from 'constructs';
import { kind, list, text } from '../cloud/props/kinds.js';
import { optional, propsProblems, required, type Shape } from '../cloud/props/shape.js';
import { isObject } from '../files/json.js';
import { parseCidr } from '../net/cidr.js';
import { collectProblems, formatProblems, openProblems } from './mistakes.js';
import { cidrs, outputs } from './props-and-outputs.js';
import { reportProblems } from './stack-access.js';

/**
 * The control of who reaches a plugin's backend: a construct of this package, or something of your
 * own, such as a gateway that lets only the service's calls through. The user ID header exists on
 * every plan; private and fixed-IP plugins do not.
 */
export interface BackendGuard {
  /** The backend, in the words of the settings. */
  readonly backend: string;
  /** CIDRs that the service's calls come from, as the backend or its load balancer sees them. */
  readonly callerNetworks: readonly string[];
  /**
   * The reason why only the service gets through a guard of your own, in your own words.
   *
   * @default - a construct needs none
   */
  readonly description?: string;
}

export interface UserIdHeaderProps {
  /** The plugin's backend that reads the header. */
  readonly backend: string;
  /** Controls on access to that backend: constructs, or guards of your own. */
  readonly guards: readonly BackendGuard[];
  /**
   * Your own proxies in front of the backend whose `X-Forwarded-For` is trusted.
   * @default - none
   */
  readonly trustedProxies?: readonly string[];
}

/**
 * The user ID header of plugin calls. It is unsigned, and the caller of the chat API chooses it: it
 * is meaningful only if nobody but the service can reach the backend.
 *
 * @example
 * ```ts
 * new UserIdHeader(stack, 'user-id-header', {
 *   backend: 'orders',
 *   guards: [
 *     {
 *       backend: 'orders',
 *       callerNetworks: ['10.40.1.9/32'],
 *       description: 'the API gateway lets only calls with the key of the plugin through',
 *     },
 *   ],
 * });
 * ```
 */
export class UserIdHeader extends Construct {
  /** Options for the backend's reader of the header. */
  readonly readerOptions: {
    readonly trustedNetworks: readonly string[];
    readonly trustedProxies: readonly string[];
  };

  constructor(scope: Construct, id: string, props: UserIdHeaderProps) {
    super(scope, id);
    this.readerOptions = { trustedNetworks: [], trustedProxies: [] };
    if (reportProblems(this, propsProblems(PROPS, props, problemsTogether))) return;
    const guards = props.guards.filter(({ backend }) => backend === props.backend);
    this.readerOptions = {
      trustedNetworks: [...new Set(guards.flatMap(({ callerNetworks }) => callerNetworks))],
      trustedProxies: (props.trustedProxies ?? []).toSorted(),
    };
    outputs(this, {
      options: {
        value: JSON.stringify(this.readerOptions),
        about: 'networks and proxies from which the backend trusts the user ID header',
      },
    });
  }
}

const GUARD_REMEDY = "; name where the service's calls come from, such as the gateway in front";

const guard = kind(
  'a private plugin, a fixed-IP plugin or an object with backend and callerNetworks',
  isGuard,
  guardProblems,
);

function isGuard(value: unknown): value is BackendGuard {
  if (!isObject(value)) return false;
  const { backend, callerNetworks, description = '' } = value;
  return (
    typeof backend === 'string' && Array.isArray(callerNetworks) && typeof description === 'string'
  );
}

const PROPS: Shape<UserIdHeaderProps> = {
  backend: required(text),
  guards: required(list('constructs, or guards of your own', guard)),
  trustedProxies: optional(cidrs()),
};

/** Problems of props that are each right by themselves. */
function problemsTogether({ backend, guards }: UserIdHeaderProps): string[] {
  const guarded = guards.map((guard) => guard.backend);
  return collectProblems(
    !guarded.includes(backend) &&
      `\`backend\` must be one that a private plugin, a fixed-IP plugin or your own guard protects (${guarded.join(', ') || 'none is'}), got: "${backend}"; the header is unsigned, so any client that reaches the backend can forge it`,
    openProblems(
      'guards.callerNetworks',
      guards
        .filter((each) => each.backend === backend)
        .flatMap(({ callerNetworks }) => callerNetworks.map(parseCidr)),
      GUARD_REMEDY,
    ),
  );
}

/** A guard that admits every address guards nothing: the header would be trusted from any sender. */
function guardProblems({ callerNetworks, description }: BackendGuard): string[] {
  return collectProblems(
    description !== undefined &&
      description.trim() === '' &&
      '`guards.description` must say why nobody but the service gets through, got: ""',
    callerNetworks.flatMap((cidr) => formatProblems('guards.callerNetworks', cidr, parseCidr)),
  );
}
