import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Code } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { present } from '../../files/json.js';
import {
  codeOfStatus,
  isInFormat,
  logIdOf,
  type ServiceRequest,
  type ServiceResponse,
} from '../../service/http/message.js';
import { receivedAlert } from '../../service/http/tls-alert.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import { workspacesRequest } from '../../service/workspaces.js';
import { failedCodes, knownEvidence, type LooseEvidence, roundMs } from '../model/findings.js';
import type { ProbeName, ProbeResult } from '../model/verification.js';
import { connectLink, secureLink } from '../transport/connect-link.js';
import { type Attempt, callLimits, type LinkContext } from '../transport/context.js';
import { dialWithin } from '../transport/dial.js';
import { step } from '../transport/path.js';
import { readHandshakeError } from '../transport/tls/secure.js';

/**
 * Tries a link that failed with one thing changed, in time of its own. It sends no credential unless
 * it says so.
 *
 * @returns nothing where that would say nothing of the failure
 */
export type Probe = (context: Attempt) => Promise<readonly ProbeResult[]>;

/** The beginnings of codes that fail before the service's first answer, or at it. */
export const NETWORK = ['dns.', 'address.', 'tcp.', 'tls.', 'http.'];

/** Tells whether the link failed with a code that begins like one of these. */
export function failedWith({ findings }: Attempt, ...starts: readonly string[]): boolean {
  return failedCodes(findings).some((code) => starts.some((start) => code.startsWith(start)));
}

/** The addresses whose finding failed with a code that begins like one of these. */
export function addressesFailedWith({ findings }: Attempt, ...starts: readonly string[]): string[] {
  return findings.flatMap(({ status, code = '', address }) =>
    status === 'failed' && address !== undefined && starts.some((start) => code.startsWith(start))
      ? [address]
      : [],
  );
}

/** The outcome of one try. */
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
    elapsedMs: roundMs(performance.now() - start),
    evidence: knownEvidence(evidence),
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
  over?: (socket: Socket) => Duplex,
): Promise<Tried> {
  const opened = await tryOpen(context, address, over);
  return opened.ok ? await tryCall(context, opened.socket, request, opened.evidence) : opened;
}

/** Works like {@link tryRoute}, but ends with the handshake. */
export async function tryTls(
  context: LinkContext,
  address: string,
  over?: (socket: Socket) => Duplex,
): Promise<Tried> {
  const opened = await tryOpen(context, address, over);
  if (!opened.ok) return opened;
  opened.socket.destroy();
  return { ok: true, evidence: opened.evidence };
}

type Opened =
  | { readonly ok: true; readonly socket: Socket; readonly evidence: LooseEvidence }
  | (Tried & { readonly ok: false });

async function tryOpen(
  context: LinkContext,
  address: string,
  over?: (socket: Socket) => Duplex,
): Promise<Opened> {
  const dialled = await step(() => dialWithin(context, address, context.budgetMs(3)));
  if (!dialled.ok) {
    const { error } = dialled;
    return { ok: false, code: transportCode(error, 'tcp'), evidence: { error: describe(error) } };
  }
  try {
    return { ok: true, ...(await secureLink(context, dialled.value, 2, over)) };
  } catch (error) {
    dialled.value.destroy();
    const { cause, seen } = readHandshakeError(error);
    const { subject, issuer, names, fingerprint256, received } = seen;
    const evidence = {
      error: errorName(cause),
      alert: receivedAlert(cause),
      subject,
      issuer,
      names,
      fingerprint256,
      received,
    };
    return { ok: false, code: transportCode(cause, 'tls'), evidence };
  }
}

async function tryCall(
  context: LinkContext,
  socket: Socket,
  request: ServiceRequest,
  { issuer }: LooseEvidence,
): Promise<Tried> {
  const connection = connectLink(context, async () => socket);
  try {
    const response = await connection.request(request, callLimits(context, 1));
    const ok = isInFormat(response);
    const evidence = { httpStatus: response.status, logId: logIdOf(response), issuer };
    const code =
      codeOfStatus(response.status, undefined) === 'http.request-timeout'
        ? 'http.request-timeout'
        : 'http.unexpected-answer';
    return { ok, ...(!ok && { code }), evidence, response };
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
