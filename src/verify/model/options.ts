import type { Connection, Link, Plugin } from '../../link/link.js';
import type { RunVia } from '../../link/vantage-point.js';
import type { TokenCache } from '../../service/token/token-cache.js';
import type { Progress } from './verification.js';

/** The identity that calls the service. Missing parts are reported by the preflight stage. */
export interface Credentials {
  readonly enterpriseId?: string | undefined;
  readonly appId?: string | undefined;
  /** `kid`: the fingerprint of the public key. */
  readonly keyId?: string | undefined;
  /** Path of a PEM file; `-` is standard input. */
  readonly privateKeyFile?: string | undefined;
  /** The PEM text itself; used only if no file is given. */
  readonly privateKey?: string | undefined;
}

/** A link with the digest of what Terraform opens in its stack, where the tree that was deployed is at hand. */
export type VerifiableLink = Link & {
  readonly accessDigest?: string | undefined;
  /** False where a tree is at hand, and neither it nor its state vouches for the host. @default not known */
  readonly isHostVouched?: boolean | undefined;
};

/** The source of a setting, for the report. */
export interface SettingSource {
  readonly name: string;
  /** A flag, a variable, a file. */
  readonly source: string;
  /** Left out for secrets. */
  readonly value?: string;
}

export interface VerifyOptions extends RunOptions {
  readonly links: readonly VerifiableLink[];
  /** Connections of private plugins, as the deploy left them. @default - none */
  readonly connections?: readonly Connection[] | undefined;
  /**
   * Private plugins whose servers are checked, if this machine is inside their network.
   * @default - none
   */
  readonly plugins?: readonly Plugin[] | undefined;
}

/** The options of a check, whatever the links. */
export interface RunOptions {
  readonly credentials?: Credentials | undefined;
  /** False stops after the stage `http`; no credential is used. @default true */
  readonly auth?: boolean | undefined;
  /**
   * Tokens of earlier checks, which are reused until they expire: the stage `token` is then
   * skipped, and passes or fails only if a token is requested.
   * @default none: each check asks for its own
   */
  readonly tokens?: TokenCache | undefined;
  /** `IP` or `IP:PORT` of the DNS server to query. @default the system's resolver */
  readonly dnsServer?: string | undefined;
  /**
   * Rules `FROM:PORT:ADDRESS:PORT`, or `@FILE` with one rule per line, read again for every dial.
   * FROM is a host, an address, or `*` for any address; the first PORT may be a range, `1-65535`.
   */
  readonly connectTo?: readonly string[] | undefined;
  /** `HOST:PORT:ADDRESS`, more addresses with commas: the host's addresses, without DNS. */
  readonly resolve?: readonly string[] | undefined;
  /** The TLS server name to send and verify, in place of each link's own. */
  readonly tlsServerName?: string | undefined;
  /** Only addresses of this family are resolved and dialled. @default both */
  readonly family?: 4 | 6 | undefined;
  /** `http://[USER:PASSWORD@]HOST:PORT` to go through. @default none: the environment's is not obeyed */
  readonly proxy?: string | undefined;
  /**
   * DNS servers to query in addition when a link fails: `IP`, `IP:PORT`, or `system` for the
   * system's resolver.
   */
  readonly compareResolvers?: readonly string[] | undefined;
  /**
   * The addresses that the private network sees for this machine, if its interfaces do not have
   * them: IPs, or `@FILE` with one per line, read again when a link fails.
   * @default those of its interfaces
   */
  readonly ownAddresses?: readonly string[] | undefined;
  /**
   * The variables in which clients look for a proxy; they are shown, and tried when a link fails.
   * @default none
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** If false, no probes run when a link fails. @default true */
  readonly probes?: boolean | undefined;
  /** PEM file of certificate authorities to trust in addition to the default ones. */
  readonly caFile?: string | undefined;
  /** Milliseconds for one pass over all links; each stage gets its share. @default 60_000 */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds during which transient failures are retried. @default 0 */
  readonly waitMs?: number | undefined;
  /**
   * Milliseconds before the second attempt; doubled for each further one, up to 15 s.
   * @default 1_000
   */
  readonly retryDelayMs?: number | undefined;
  /** Full passes in a row before a link counts as reachable. @default 1 */
  readonly settle?: number | undefined;
  /**
   * The place of the check, if not here: a command that runs the words after it at a vantage point,
   * such as `ssh bastion` or `kubectl exec -i pod --`, or several vantage points. They need Node.js
   * and nothing else; the private key stays here. Paths in other options are read here; addresses
   * are those of the vantage point.
   *
   * @default here
   */
  readonly runVia?: RunVia | undefined;
  /** Links checked at the same time. @default 8 */
  readonly concurrency?: number | undefined;
  /** The title of the report. @default none */
  readonly title?: string | undefined;
  readonly settings?: readonly SettingSource[] | undefined;
  /**
   * The names of the fields in errors, for example the flags of a program.
   * @default by the fields' own names
   */
  readonly names?: Readonly<Record<string, string>> | undefined;
  /** Ends the run early; the report then shows what was seen so far. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** The name in {@link RunOptions.names} of the variable that holds the text of the key. */
export const KEY_TEXT = 'privateKeyText';

/**
 * The options that a vantage point is sent as they are. The key, what names files of this machine and
 * what is done with the report are not. The test of them has a row for every option of a run.
 */
export const SENT_OPTIONS = [
  'auth',
  'dnsServer',
  'resolve',
  'tlsServerName',
  'family',
  'proxy',
  'compareResolvers',
  'probes',
  'timeoutMs',
  'retryDelayMs',
  'settle',
  'concurrency',
  'settings',
  'names',
] as const satisfies readonly (keyof RunOptions)[];

/** Milliseconds for one pass over all links, unless the caller says otherwise. */
export const RUN_TIMEOUT_MS = 60_000;

/** Milliseconds during which transient failures are retried, unless the caller says otherwise. */
export const RUN_WAIT_MS = 0;

/** Milliseconds before the second attempt, unless the caller says otherwise. */
export const RETRY_DELAY_MS = 1_000;

/** The share of a run's time for which one pipe may keep it waiting. */
const PIPE_SHARE = 0.5;

/** Milliseconds to wait for a pipe that gives nothing, so that it cannot hold a run past its time. */
export function pipeWaitMs(timeoutMs: number = RUN_TIMEOUT_MS): number {
  return timeoutMs * PIPE_SHARE;
}

/** Returns the caller's name of a setting; by default the name of the field. */
export function settingName({ names = {} }: Pick<RunOptions, 'names'>, field: string): string {
  return names[field] ?? field;
}

/** The variables in which clients look for a proxy; the rest of the environment is nobody's business. */
export function proxyVariables(): Record<string, string | undefined> {
  const all = Object.entries(process.env);
  return Object.fromEntries(all.filter(([name]) => /^(https?|all|no)_proxy$/i.test(name)));
}
