import type { SecureContext } from 'node:tls';
import type { Link } from '../../link/link.js';
import type { StopSignal } from '../../service/http/limits.js';
import type { CallOptions } from '../../service/http/message.js';
import type { AccessToken } from '../../service/token/access-token.js';
import type { RunOptions } from '../model/options.js';
import type { Finding, StageName, TouchedHost } from '../model/verification.js';
import type { ConnectToRules } from './connect-to.js';
import { bracketed, type HostPort, readHost, readPort } from './host-port.js';
import { createLimiter, type Limiter } from './limiter.js';
import type { Path } from './path.js';
import type { ProxyTarget } from './proxy/proxy.js';
import type { GivenAddresses } from './resolve-name.js';
import type { Signer } from './signer.js';

/** What all links of a run share, but for what was dialled. */
export interface RunContext {
  readonly options: RunOptions;
  readonly connectToRules: ConnectToRules;
  /** What is trusted. To read the default roots takes longer than a handshake, so it is done once. */
  readonly secureContext: () => SecureContext;
  readonly dnsServer: string | undefined;
  /** `IP:PORT`, or `system`. */
  readonly compareResolvers: readonly string[];
  readonly givenAddresses: GivenAddresses;
  /** Undefined: the direct way. */
  readonly proxy: ProxyTarget | undefined;
  /** What came of a large ClientHello, by host. */
  readonly largeHellos: Map<string, Promise<readonly Finding[]>>;
  /** Of the link that is checked. */
  readonly dialled: DialledHosts;
  /** Of all links and attempts. */
  readonly signer: Signer;
}

/** What the stages of one attempt have seen; each stage fills in its own part. */
export interface Seen {
  addresses: readonly string[];
  /** The addresses that may be dialled. */
  allowed: readonly string[];
  paths: readonly Path[];
  /** The path that carries token call and API call: the first that was ready. */
  carrier: Path | undefined;
  token: AccessToken | undefined;
  skewMs: number | undefined;
  readonly notes: Set<string>;
  /** By where the dial should have gone. */
  readonly connectTo: Map<string, string>;
}

export interface Attempt {
  readonly findings: readonly Finding[];
  readonly seen: Seen;
}

export interface LinkContext {
  readonly run: RunContext;
  readonly link: Link;
  readonly host: string;
  readonly port: number;
  readonly isPlain: boolean;
  readonly withAuth: boolean;
  /** The server name (SNI) sent and verified in TLS. */
  readonly tlsServerName: string;
  /** False: the name is verified but not sent. */
  readonly sendsServerName: boolean;
  readonly proxy: ProxyTarget | undefined;
  /** Of an earlier check; none is asked for then. */
  readonly earlierToken: AccessToken | undefined;
  /** A place for one more address on its way. */
  readonly place: Limiter;
  /** Ends with the run's deadline or from outside. */
  readonly signal: StopSignal;
  /** Milliseconds for a step, when so many steps, it included, have to share what is left. */
  readonly budgetMs: (steps: number) => number;
  /** Milliseconds of a part of what is left of the run, for what takes as long as it takes. */
  readonly leftMs: (part: number) => number;
  readonly seen: Seen;
}

/**
 * One step of the check of a link. Stages run in order; what one saw, the next finds in the context. The
 * next one has nothing to work on where every finding is failed or blocked.
 */
export interface Stage {
  readonly name: StageName;
  readonly run: (context: LinkContext) => Promise<readonly Finding[]>;
  /** What is found beside the stages that follow, and counts only where nothing fails. */
  readonly aside?: (context: LinkContext) => Promise<readonly Finding[]>;
}

/** No stage waits longer than this, however much time the run has. */
const LONGEST_STAGE_MS = 10_000;

/** The rest is left over, so that the last stage ends by its own time and not by the run's. */
const SHARED = 0.9;

/** Addresses of one link that are tried at the same time. */
const ADDRESSES_AT_ONCE = 16;

/** @param deadline milliseconds of `performance.now()` */
export function linkContext(
  run: RunContext,
  link: Link,
  signal: StopSignal,
  deadline: number,
): LinkContext {
  const url = new URL(link.baseUrl);
  return {
    run,
    link,
    host: readHost(url),
    port: readPort(url),
    isPlain: url.protocol === 'http:',
    withAuth: run.options.auth ?? true,
    tlsServerName: run.options.tlsServerName ?? link.tlsServerName ?? readHost(url),
    sendsServerName: true,
    proxy: run.proxy,
    earlierToken: run.options.tokens?.get(tokenKey(run, link)),
    place: createLimiter(ADDRESSES_AT_ONCE),
    signal,
    budgetMs: (steps) =>
      Math.max(1, Math.min(LONGEST_STAGE_MS, ((deadline - performance.now()) * SHARED) / steps)),
    leftMs: (part) => Math.max(1, (deadline - performance.now()) * part),
    seen: {
      addresses: [],
      allowed: [],
      paths: [],
      carrier: undefined,
      token: undefined,
      skewMs: undefined,
      notes: new Set(),
      connectTo: new Map(),
    },
  };
}

/** Within the run, and within the time of the first of so many steps that share what is left. */
export function callLimits(
  { signal, budgetMs }: Pick<LinkContext, 'signal' | 'budgetMs'>,
  steps: number,
): CallOptions {
  // It is listened to and asked for its reason, and nothing else.
  return { signal: signal as AbortSignal, timeoutMs: budgetMs(steps) };
}

/** Who asks for a token, where and for what. */
export function tokenKey(
  { options: { credentials = {}, chat } }: RunContext,
  { baseUrl, apiHost }: Link,
): string {
  const { enterpriseId, appId, keyId, durationSeconds, deviceId, customConsumer } = credentials;
  const { sessionName = chat?.userId } = credentials;
  const who = [enterpriseId, appId, keyId, durationSeconds, deviceId, customConsumer, sessionName];
  return JSON.stringify([baseUrl, apiHost, ...who]);
}

/** What the check of a link has dialled, stages and probes alike, each once. */
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
