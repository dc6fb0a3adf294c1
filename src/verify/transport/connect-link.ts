import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { connectService } from '../../service/http/connection.js';
import { withTimeout } from '../../service/http/limits.js';
import type { CallOptions, ServiceConnection } from '../../service/http/message.js';
import { TimeLimit } from '../../service/http/time-limit.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import { sendJwt } from '../../service/token/token-exchange.js';
import { workspacesRequest } from '../../service/workspaces.js';
import { stagesLeft } from '../model/verification-names.js';
import type { LinkContext } from './context.js';
import { dialWithin } from './dial.js';
import { callInFullPackets } from './full-packets.js';
import { type Answer, type Dialled, type Handshake, type Path, type Step, step } from './path.js';
import { type Secured, startTls, withReceived } from './tls/secure.js';

/**
 * The connection over which a check calls what is at the end of a link, with the options of the run:
 * every call of stages and probes goes through here.
 *
 * @param open gives the socket, dialled and secured, each time one is needed
 */
export function connectLink({ link }: LinkContext, open: () => Promise<Socket>): ServiceConnection {
  return connectService(link.baseUrl, { open });
}

/**
 * Secures a socket within the time of the first of so many steps; over plain http there is nothing to
 * secure.
 *
 * @param over what TLS is spoken over, made of the socket; the socket itself where not given
 * @throws as {@link startTls}; TimedOut
 */
export async function secureLink(
  context: LinkContext,
  socket: Socket,
  steps: number,
  over: (socket: Socket) => Duplex = (plain) => plain,
): Promise<Secured> {
  if (context.isPlain) {
    over(socket);
    return { socket, evidence: {}, objection: () => undefined };
  }
  const limitMs = context.budgetMs(steps);
  let early = Number.POSITIVE_INFINITY;
  const mostOfIt = new TimeLimit(limitMs * 0.75, () => {
    early = socket.bytesRead;
  });
  try {
    const secured = await withTimeout(limitMs, context.signal, (signal) =>
      startTls(context, over(socket), signal),
    );
    return { ...secured, evidence: { ...secured.evidence, handshakeBytes: socket.bytesRead } };
  } catch (error) {
    const { bytesRead } = socket;
    // What a proxy says of its tunnel would count too.
    throw context.proxy === undefined ? withReceived(error, bytesRead, bytesRead - early) : error;
  } finally {
    mostOfIt.end();
  }
}

const STEPS = {
  tcp: stagesLeft('tcp'),
  tls: stagesLeft('tls'),
  answer: stagesLeft('token'),
};

/** Starts the path to one address: dials, secures and makes the first call, each as soon as it can. */
export function startPath(context: LinkContext, address: string): Path {
  /** The socket of the first handshake, until the connection takes it; where it is used up, it opens another. */
  let held: Socket | undefined;
  const connection = connectLink(context, async () => {
    const socket = held ?? (await secureAgain(context, address));
    held = undefined;
    return socket;
  });
  const place = context.place();
  const tcp = place.then(() => dialTimed(context, address));
  const tls = tcp.then(async (dialled) => {
    if (!dialled.ok) return undefined;
    return await step(async () => {
      const secured = await secureLink(context, dialled.value, STEPS.tls);
      held = secured.socket;
      return secured;
    });
  });
  const answer = tls.then(async (secured) =>
    secured?.ok && !context.run.connectOnly
      ? await firstCall(context, path, secured.value)
      : undefined,
  );
  Promise.all([place, answer]).then(([release]) => release());
  const close = async () => {
    held?.destroy();
    await connection.close();
  };
  const openAnother = () => connectLink(context, () => secureAgain(context, address));
  const path: Path = { address, connection, openAnother, tcp, tls, answer, close };
  return path;
}

async function secureAgain(context: LinkContext, address: string): Promise<Socket> {
  return (await secureLink(context, await dialInTime(context, address), STEPS.tls)).socket;
}

/** Dials, and measures it without what this process cost. */
export async function dialTimed(context: LinkContext, address: string): Promise<Dialled> {
  const load = performance.eventLoopUtilization();
  let triedAt = performance.now();
  const onTry = () => {
    triedAt = performance.now();
  };
  const dialled = await step(() => dialInTime(context, address, onTry));
  return {
    ...dialled,
    ownMs: triedAt - dialled.startedAt + performance.eventLoopUtilization(load).active,
  };
}

/** The first path that is ready carries the token call; the others show who is there. */
function firstCall(
  context: LinkContext,
  path: Path,
  { objection }: Handshake,
): Promise<Step<Answer>> {
  const isPrimary = context.seen.primaryPath === undefined;
  if (isPrimary) context.seen.primaryPath = path;
  const isTokenCall = isPrimary && asksAtOnce(context);
  const call = context.callLimits(STEPS.answer);
  return step(async () => {
    try {
      return await (isTokenCall
        ? askForToken(context, path.connection, call)
        : { response: await callInFullPackets(path, ANONYMOUS, call) });
    } catch (error) {
      throw toRefusal(objection()) ?? error;
    }
  });
}

/**
 * Tells whether the token is asked for at once: over plain http the service must be known first.
 */
function asksAtOnce({ withAuth, isPlain, earlierToken }: LinkContext): boolean {
  return withAuth && !isPlain && earlierToken === undefined;
}

/** The HTTP client only sees that the connection ended; the alert before it says why. */
function toRefusal(cause: Error | undefined): ConnectivityError | undefined {
  const code = transportCode(cause, 'http');
  if (cause === undefined || !code.startsWith('tls.')) return undefined;
  const text = `the server refused after the handshake: ${errorName(cause)}`;
  return new ConnectivityError(code, text, { cause });
}

function dialInTime(context: LinkContext, address: string, onTry?: () => void): Promise<Socket> {
  return dialWithin(context, address, context.budgetMs(STEPS.tcp), onTry);
}

const ANONYMOUS = workspacesRequest(undefined, { pageSize: 1 });

/** Calls without a credential, to see who answers. */
export async function callWithoutCredential(
  connection: ServiceConnection,
  call: CallOptions,
): Promise<Answer> {
  return { response: await connection.request(ANONYMOUS, call) };
}

/**
 * The token call, with a JWT of its own.
 *
 * @param now milliseconds since the epoch, by which the JWT is signed; the signer's clock by default
 */
export async function askForToken(
  { run, link }: LinkContext,
  connection: ServiceConnection,
  call: CallOptions,
  now?: () => number,
): Promise<Answer> {
  const { enterpriseId = '' } = run.options.credentials ?? {};
  const sign = (own: CallOptions) => run.signer.sign(link.apiHost, own, now);
  return await sendJwt(connection, { enterpriseId }, sign, call);
}
