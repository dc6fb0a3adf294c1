import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Code } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { connectService } from '../../service/http/connection.js';
import { withTimeout } from '../../service/http/limits.js';
import {
  isFromService,
  logIdOf,
  type ServiceRequest,
  type ServiceResponse,
} from '../../service/http/message.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import { workspacesRequest } from '../../service/workspaces.js';
import type { LooseEvidence } from '../model/findings.js';
import { callLimits } from '../transport/calls.js';
import { dialWithin } from '../transport/dial.js';
import type { LinkContext } from '../transport/link-context.js';
import { HandshakeError, type Secured, secure } from '../transport/tls/secure.js';

export interface Tried {
  readonly ok: boolean;
  readonly code?: Code;
  readonly evidence: LooseEvidence;
  readonly response?: ServiceResponse;
}

/**
 * Goes to an address as far as a call without credential. It counts as working when the service is
 * recognised in the answer.
 *
 * @param over what TLS is spoken over, made of the connection; the connection itself where not given
 */
export async function tryRoute(
  context: LinkContext,
  address: string,
  request: ServiceRequest = workspacesRequest(undefined, { pageSize: 1 }),
  over: (socket: Socket) => Duplex = (socket) => socket,
): Promise<Tried> {
  const dialled = await tryDial(context, address);
  if ('code' in dialled) return dialled;
  const secured = context.isPlain
    ? { socket: dialled.socket, evidence: {} }
    : await tryHandshake(context, over(dialled.socket));
  if (!('socket' in secured)) return secured;
  return await tryCall(context, secured.socket, request, secured.evidence);
}

/** As {@link tryRoute}, but ends with the handshake. */
export async function tryTls(context: LinkContext, address: string): Promise<Tried> {
  const dialled = await tryDial(context, address);
  if ('code' in dialled) return dialled;
  const secured = await tryHandshake(context, dialled.socket);
  if (!('socket' in secured)) return secured;
  secured.socket.destroy();
  return { ok: true, evidence: secured.evidence };
}

type Failed = Tried & { readonly ok: false; readonly code: Code };

async function tryDial(
  context: LinkContext,
  address: string,
): Promise<{ readonly socket: Socket } | Failed> {
  try {
    const socket = await dialWithin(context, address, context.budgetMs(3), context.signal);
    return { socket };
  } catch (error) {
    const code = error instanceof ConnectivityError ? error.code : transportCode(error, 'tcp');
    return { ok: false, code, evidence: { error: describe(error) } };
  }
}

async function tryHandshake(context: LinkContext, socket: Duplex): Promise<Secured | Failed> {
  try {
    return await withTimeout(context.budgetMs(2), context.signal, (signal) =>
      secure(context, socket, signal),
    );
  } catch (error) {
    socket.destroy();
    const cause = error instanceof HandshakeError ? error.cause : error;
    const seen = error instanceof HandshakeError ? error.evidence : {};
    const { issuer, names } = seen;
    return {
      ok: false,
      code: transportCode(cause, 'tls'),
      evidence: { error: errorName(cause), issuer, names },
    };
  }
}

async function tryCall(
  context: LinkContext,
  socket: Socket,
  request: ServiceRequest,
  { issuer }: LooseEvidence,
): Promise<Tried> {
  const connection = connectService(context.link.baseUrl, { open: async () => socket });
  try {
    const response = await connection.request(request, callLimits(context, 1));
    const ok = isFromService(response);
    const evidence = { httpStatus: response.status, logId: logIdOf(response), issuer };
    return { ok, ...(!ok && { code: 'http.not-the-service' as const }), evidence, response };
  } catch (error) {
    const code = error instanceof ConnectivityError ? error.code : 'http.reset';
    return { ok: false, code, evidence: { error: describe(error), issuer } };
  } finally {
    await connection.close();
    socket.destroy();
  }
}

function describe(error: unknown): string {
  return error instanceof ConnectivityError ? error.message : errorName(error);
}
