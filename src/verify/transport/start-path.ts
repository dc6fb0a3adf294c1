import type { Socket } from 'node:net';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { connectService, type ServiceConnection } from '../../service/http/connection.js';
import { withStop } from '../../service/http/limits.js';
import type { CallOptions } from '../../service/http/message.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import { present } from '../../service/json.js';
import { sendJwt } from '../../service/token/token-exchange.js';
import { workspacesRequest } from '../../service/workspaces.js';
import type { LinkContext } from './context.js';
import { dialWithin } from './dial.js';
import {
  type Answer,
  type EndedSteps,
  type Handshake,
  loopDelay,
  type Path,
  step,
} from './path.js';
import { secure } from './tls/secure.js';

// Steps that still share the time of the run: tcp, tls and first answer, before the call that is left.
const STEPS = { tcp: 4, tls: 3, answer: 2 } as const;

/** Starts the path to one address: dials, secures and makes the first call, each as soon as it can. */
export function startPath(context: LinkContext, address: string): Path {
  const { link, isPlain } = context;
  let ready: Socket | undefined;
  const openAgain = async () => {
    const socket = await dialInTime(context, address);
    return isPlain ? socket : (await secureInTime(context, socket)).socket;
  };
  const connection = connectService(link.baseUrl, {
    open: async () => {
      const socket = ready ?? (await openAgain());
      ready = undefined;
      return socket;
    },
  });
  const ended: EndedSteps = {};
  const place = context.place();
  const tcp = place.then(async () => {
    const endWatch = loopDelay.watch();
    let triedAt = performance.now();
    const onTry = () => {
      triedAt = performance.now();
    };
    const dialled = await step(() => dialInTime(context, address, onTry));
    ended.tcp = { ...dialled, ownDelayMs: endWatch() + triedAt - dialled.startedAt };
    return ended.tcp;
  });
  const tls = tcp.then(async (dialled) => {
    if (!dialled.ok) return undefined;
    ended.tls = await step<Handshake>(async () => {
      if (isPlain) {
        ready = dialled.value;
        return { evidence: {}, helloBytes: 0, objection: () => undefined };
      }
      const secured = await secureInTime(context, dialled.value);
      ready = secured.socket;
      return secured;
    });
    return ended.tls;
  });
  const answer = tls.then(async (secured) => {
    if (!secured?.ok) return undefined;
    const isCarrier = context.seen.carrier === undefined;
    if (isCarrier) context.seen.carrier = path;
    const isTokenCall = isCarrier && asksAtOnce(context);
    const call = callLimits(context, STEPS.answer);
    ended.answer = await step(async () => {
      try {
        return await (isTokenCall
          ? askForToken(context, connection, call)
          : probe(connection, call));
      } catch (error) {
        throw objectionOf(secured.value) ?? error;
      }
    });
    return ended.answer;
  });
  Promise.all([place, answer]).then(([release]) => release());
  const close = async () => {
    ready?.destroy();
    await connection.close();
  };
  const path: Path = { address, connection, tcp, tls, answer, ended, close };
  return path;
}

/** Over plain http the service must be known first; by its clock, once an answer has shown it. */
function asksAtOnce({ run, withAuth, isPlain, earlierToken }: LinkContext): boolean {
  return withAuth && !isPlain && !run.options.useServerTime && earlierToken === undefined;
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

function dialInTime(context: LinkContext, address: string, onTry?: () => void): Promise<Socket> {
  return dialWithin(context, address, context.budgetMs(STEPS.tcp), context.signal, onTry);
}

function secureInTime(context: LinkContext, socket: Socket): ReturnType<typeof secure> {
  return withStop(context.budgetMs(STEPS.tls), context.signal, (signal) =>
    secure(context, socket, signal),
  );
}

/** Within the run, and within the time of the first of so many steps that share what is left. */
export function callLimits(
  { signal, budgetMs }: Pick<LinkContext, 'signal' | 'budgetMs'>,
  steps: number,
): CallOptions {
  // It is listened to and asked for its reason, and nothing else.
  return { signal: signal as AbortSignal, timeoutMs: budgetMs(steps) };
}

/** A call without any credential: what comes back shows who is there. */
export async function probe(connection: ServiceConnection, call: CallOptions): Promise<Answer> {
  const request = workspacesRequest(undefined, { pageSize: 1 });
  return { response: await connection.request(request, call) };
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
  const { enterpriseId = '', durationSeconds } = run.options.credentials ?? {};
  const sign = (own: CallOptions) => run.signer.sign(link.apiHost, own, now);
  return await sendJwt(connection, { enterpriseId, ...present({ durationSeconds }) }, sign, call);
}
