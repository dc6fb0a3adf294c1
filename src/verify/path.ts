import type { Socket } from 'node:net';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { connectService, type ServiceConnection } from '../service/connection.js';
import { type JwtClaims, signJwt } from '../service/jwt.js';
import type { ServiceResponse } from '../service/response.js';
import { tokenRequest } from '../service/token.js';
import { errorName, transportCode } from '../service/transport-code.js';
import { withTimeout } from '../service/with-timeout.js';
import { workspacesRequest } from '../service/workspaces.js';
import { dial } from './dial.js';
import type { LinkContext } from './link-context.js';
import { type Secured, secure } from './secure.js';

/** How one step on a path went. */
export type Step<T> =
  | { readonly ok: true; readonly value: T; readonly elapsedMs: number }
  | { readonly ok: false; readonly error: unknown; readonly elapsedMs: number };

type Handshake = Omit<Secured, 'socket'>;

/** The first answer on a path: to the token call where the path carries it, else to a call without credential. */
export interface Answer {
  readonly response: ServiceResponse;
  /** The claims of the JWT that the token call carried. */
  readonly claims?: JwtClaims;
}

/**
 * The way to one address. All paths of a link start together and go on by themselves, so that a dead
 * address holds up no other; the stages wait for their step and judge it. A step is undefined where
 * the one before it failed.
 */
export interface Path {
  readonly address: string;
  readonly connection: ServiceConnection;
  readonly tcp: Promise<Step<Socket>>;
  /** Gives evidence of the handshake; passes at once over plain http. */
  readonly tls: Promise<Step<Handshake> | undefined>;
  readonly answer: Promise<Step<Answer> | undefined>;
  readonly close: () => Promise<void>;
}

// Steps that still share the time of the run: tcp, tls, first answer, probe or workspaces.
const STEPS = { tcp: 4, tls: 3, answer: 2, last: 1 } as const;

export function startPath(context: LinkContext, address: string): Path {
  const { link, isPlain, signal } = context;
  let ready: Socket | undefined;
  const openAgain = async () => {
    const socket = await dialInTime(context, address);
    return isPlain ? socket : (await secureInTime(context, socket)).socket;
  };
  const connection = connectService(link.baseUrl, {
    open: async () => {
      const socket = ready ?? (await openAgain());
      ready = undefined;
      if (socket.errored) throw socket.errored;
      return socket;
    },
  });
  const tcp = step(() => dialInTime(context, address));
  const tls = tcp.then(async (dialled) => {
    if (!dialled.ok) return undefined;
    return await step<Handshake>(async () => {
      if (isPlain) {
        ready = dialled.value;
        return { evidence: {}, objection: () => undefined };
      }
      const secured = await secureInTime(context, dialled.value);
      ready = secured.socket;
      return secured;
    });
  });
  const answer = tls.then(async (secured) => {
    if (!secured?.ok) return undefined;
    const isCarrier = context.seen.carrier === undefined;
    if (isCarrier) context.seen.carrier = path;
    const isTokenCall = isCarrier && context.withAuth && !isPlain;
    const call = { signal, timeoutMs: context.budgetMs(STEPS.answer) };
    return await step(async () => {
      try {
        return await (isTokenCall ? callToken(context, connection, call) : probe(connection, call));
      } catch (error) {
        throw objectionOf(secured.value) ?? error;
      }
    });
  });
  const close = async () => {
    ready?.destroy();
    await connection.close();
  };
  const path: Path = { address, connection, tcp, tls, answer, close };
  return path;
}

/** The HTTP client only sees that the connection ended; the alert before it says why. */
function objectionOf({ objection }: Handshake): ConnectivityError | undefined {
  const cause = objection();
  const code = transportCode(cause, 'http');
  if (cause === undefined || !code.startsWith('tls.')) return undefined;
  return new ConnectivityError(
    code,
    `the server refused after the handshake: ${errorName(cause)}`,
    {
      cause,
    },
  );
}

/** A call without any credential: what comes back shows who is there. */
export async function probe(
  connection: ServiceConnection,
  call: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Answer> {
  const request = workspacesRequest(undefined, { pageSize: 1 });
  return { response: await connection.request(request, call) };
}

/** The token call, with a JWT of its own. */
export async function callToken(
  { run, link }: LinkContext,
  connection: ServiceConnection,
  call: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Answer> {
  const { enterpriseId = '', appId = '', keyId = '', ...rest } = run.options.credentials ?? {};
  const { durationSeconds, sessionName } = rest;
  const { jwt, claims } = await signJwt({
    privateKey: (await run.key()).key,
    keyId,
    appId,
    apiHost: link.apiHost,
    ...(sessionName !== undefined && { sessionName }),
  });
  const request = tokenRequest({
    enterpriseId,
    jwt,
    ...(durationSeconds !== undefined && { durationSeconds }),
  });
  return { response: await connection.request(request, call), claims };
}

export async function step<T>(work: () => Promise<T>): Promise<Step<T>> {
  const start = performance.now();
  try {
    const value = await work();
    return { ok: true, value, elapsedMs: performance.now() - start };
  } catch (error) {
    return { ok: false, error, elapsedMs: performance.now() - start };
  }
}

function dialInTime(context: LinkContext, address: string): Promise<Socket> {
  return withTimeout(context.budgetMs(STEPS.tcp), context.signal, (signal) =>
    dial(context, address, signal),
  );
}

function secureInTime(context: LinkContext, socket: Socket): ReturnType<typeof secure> {
  return withTimeout(context.budgetMs(STEPS.tls), context.signal, (signal) =>
    secure(context, socket, signal),
  );
}
