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
import { present } from '../../service/json.js';
import { workspacesRequest } from '../../service/workspaces.js';
import { failedCodes, type LooseEvidence } from '../model/findings.js';
import type { Evidence, Finding, ProbeName, ProbeResult } from '../model/verification.js';
import { callLimits, type LinkContext } from '../transport/context.js';
import { dialWithin } from '../transport/dial.js';
import { HandshakeError, type Secured, secure } from '../transport/tls/secure.js';

/** A link that failed, with everything that was seen of it, and time of its own for the probes. */
export interface ProbeContext extends LinkContext {
  readonly findings: readonly Finding[];
}

/** Tries the link with one thing changed. It sends no credential unless it says so. */
export interface Probe {
  readonly applies: (context: ProbeContext) => boolean;
  readonly run: (context: ProbeContext) => Promise<readonly ProbeResult[]>;
}

/** Whether the link failed with a code that begins like one of these. */
export function failedWith({ findings }: ProbeContext, ...starts: readonly string[]): boolean {
  return failedCodes(findings).some((code) => starts.some((start) => code.startsWith(start)));
}

/** The addresses whose finding failed with a code that begins like one of these. */
export function addressesFailedWith(
  { findings }: ProbeContext,
  ...starts: readonly string[]
): string[] {
  return findings.flatMap(({ status, code = '', address }) =>
    status === 'failed' && address !== undefined && starts.some((start) => code.startsWith(start))
      ? [address]
      : [],
  );
}

/** What came of one try. */
export interface Tried {
  readonly ok: boolean;
  readonly code?: Code;
  readonly evidence: LooseEvidence;
  readonly response?: ServiceResponse;
}

/** Measures one try and puts it into the form of the report. */
export async function probed(
  name: ProbeName,
  changed: string,
  work: () => Promise<Tried>,
): Promise<ProbeResult> {
  const start = performance.now();
  const { ok, code, evidence } = await work();
  return {
    name,
    changed,
    ok,
    ...present({ code }),
    elapsedMs: Math.round((performance.now() - start) * 10) / 10,
    evidence: present(evidence) as Evidence,
  };
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
