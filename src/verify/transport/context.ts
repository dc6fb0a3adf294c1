import type { SecureContext } from 'node:tls';
import { present } from '../../files/json.js';
import type { Link } from '../../link/link.js';
import type { AccessToken } from '../../service/token/token-cache.js';
import type { RunOptions } from '../model/options.js';
import type { Finding, TouchedHost } from '../model/verification.js';
import { bracketed, type HostPort, readHost, readPort } from './addresses.js';
import type { ConnectToRules, GivenAddresses } from './connect-to.js';
import { createLimiter } from './limiter.js';
import type { Path, Step } from './path.js';
import type { ProxyTarget } from './proxy/proxy.js';
import type { Signer } from './signer.js';

/** The parts that all links of a run share, but for the dialled hosts. */
export interface RunContext {
  readonly options: RunOptions;
  readonly connectToRules: ConnectToRules;
  /** Nothing is sent after the TLS handshake. */
  readonly connectOnly: boolean;
  /**
   * Makes the trust store. Reading the default roots takes longer than a handshake, so it is done
   * once.
   */
  readonly secureContext: () => SecureContext;
  /** Certificates that are trusted without their root, in PEM; undefined where each has one. */
  readonly rootless: string | undefined;
  /** The setting that adds an authority to the default ones; undefined where none does. */
  readonly ownAuthority: string | undefined;
  readonly dnsServer: string | undefined;
  /** `IP:PORT`, or `system`. */
  readonly compareResolvers: readonly string[];
  readonly givenAddresses: GivenAddresses;
  /** Of this machine, as they were given when the run began. */
  readonly ownAddresses: readonly string[];
  /** Undefined: the direct way. */
  readonly proxy: ProxyTarget | undefined;
  /** The hosts that were dialled for the link. */
  readonly dialled: DialledHosts;
  /** The signer of all links and attempts. */
  readonly signer: Signer;
}

/** The observations of one attempt; each stage fills in its own part. */
export class Observations {
  addresses: readonly string[] = [];
  /** The addresses that may be dialled. */
  allowed: readonly string[] = [];
  paths: readonly Path[] = [];
  /** The path that carries token call and API call: the first that was ready. */
  primaryPath: Path | undefined;
  token: AccessToken | undefined;
  skewMs: number | undefined;
  readonly notes = new Set<string>();
  /** By where the dial should have gone. */
  readonly connectTo = new Map<string, string>();
}

/** One attempt at one link. */
export type LinkContext = Readonly<ReturnType<typeof linkContext>>;

/** An attempt with what the stages have found. */
export interface Attempt extends LinkContext {
  readonly findings: readonly Finding[];
}

/**
 * Runs one stage of the check of a link. Stages run in order; what one saw, the next finds in the
 * context. The next one has nothing to work on where every finding is failed or blocked.
 */
export type Stage = (context: LinkContext) => Promise<readonly Finding[]>;

/** No stage waits longer than this, however much time the run has. */
const MAX_STAGE_MS = 10_000;

/** The rest is left over, so that the last stage ends by its own time and not by the run's. */
const SHARED = 0.9;

/** Addresses of one link that are tried at the same time. */
const ADDRESSES_AT_ONCE = 16;

/**
 * @param signal ends with the run's deadline or from outside
 * @param deadline milliseconds of `performance.now()`
 */
export function linkContext(run: RunContext, link: Link, signal: AbortSignal, deadline: number) {
  const url = new URL(link.baseUrl);
  const host = readHost(url);
  const isPlain = url.protocol === 'http:';
  // Before the pass begins: the time it takes is no stage's.
  if (!isPlain) run.secureContext();
  const budgetMs = (steps: number) =>
    Math.max(1, Math.min(MAX_STAGE_MS, ((deadline - performance.now()) * SHARED) / steps));
  return {
    run,
    link,
    /** Milliseconds of `performance.now()`. */
    startedAt: performance.now(),
    host,
    port: readPort(url),
    isPlain,
    /** The addresses that the user gives the host. */
    given: run.givenAddresses.get(`${host}:${readPort(url)}`) ?? [],
    withAuth: run.options.auth ?? true,
    /** The server name (SNI) sent and verified in TLS. */
    tlsServerName: run.options.tlsServerName ?? link.tlsServerName ?? host,
    /** False: the name is verified but not sent. */
    sendsServerName: true,
    proxy: run.proxy,
    /** The token of an earlier check; none is asked for then. */
    earlierToken: run.options.tokens?.get(tokenKey(run, link)),
    /** A place for one more address on its way. */
    place: createLimiter(ADDRESSES_AT_ONCE),
    signal,
    /** Milliseconds for this step if `steps` steps (including it) share the remaining time. */
    budgetMs,
    /**
     * Within the run, and within the time of the first of so many steps that share what is left. The signal is
     * listened to and asked for its reason, and nothing else.
     */
    callLimits: (steps: number) => ({ signal, timeoutMs: budgetMs(steps) }),
    seen: new Observations(),
  };
}

/** The start of a step, counted from the start of the pass through the stages, and its duration. */
export function timesOf({ startedAt }: LinkContext, step: Step<unknown>) {
  return { startMs: step.startedAt - startedAt, elapsedMs: step.elapsedMs };
}

/** Builds a key of the identity, the host and the purpose of a token. */
export function tokenKey(
  { options: { credentials = {} } }: RunContext,
  { baseUrl, apiHost }: Link,
): string {
  const { privateKey: _, privateKeyFile: __, ...who } = credentials;
  return JSON.stringify([baseUrl, apiHost, ...Object.entries(present(who)).sort()]);
}

/** The hosts that the check of a link has dialled, stages and probes alike, each once. */
export class DialledHosts {
  readonly #hosts = new Map<string, TouchedHost>();

  /** @param dialled what was dialled, or asked of a proxy */
  add(use: 'proxy' | 'service', { host, port }: HostPort, dialled: HostPort): void {
    const address = `${bracketed(dialled.host)}:${dialled.port}`;
    this.#hosts.set(JSON.stringify([use, host, port, address]), { use, host, port, address });
  }

  all(): TouchedHost[] {
    return [...this.#hosts.values()];
  }
}
