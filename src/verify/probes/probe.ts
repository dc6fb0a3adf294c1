import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Reason, splitReason } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { failedReasons } from '../../codes/stated.js';
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
import { knownEvidence, type LooseEvidence, roundMs } from '../model/findings.js';
import type { Finding, ProbeName, ProbeResult } from '../model/verification.js';
import { connectLink, secureLink } from '../transport/connect-link.js';
import type { Attempt, LinkContext } from '../transport/context.js';
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

/** Reasons of what fails before the service's first answer, or at it. */
const ON_THE_WAY = /^(dns|address|tcp|tls|http|proxy)\.(?!.*: (token|API) call$)/;

/** Failures of the API call itself. */
const IN_THE_API = /^http\.(timeout|reset|server-error|rate-limited)$/;

type Found = Pick<Attempt, 'findings'>;

/** Tells whether the link failed before the service's first answer, or at it. */
export function failedOnTheWay({ findings }: Found): boolean {
  const isOfApi = (one: Finding) =>
    one.stage === 'workspaces' && failedWith({ findings: [one] }, IN_THE_API);
  return failedWith({ findings: findings.filter((one) => !isOfApi(one)) }, ON_THE_WAY);
}

/** Tells whether the link failed for a reason of this form. */
export function failedWith({ findings }: Found, form: RegExp): boolean {
  return failedReasons(findings).some((reason) => form.test(reason));
}

/** The addresses whose finding failed for a reason of this form. */
export function addressesFailedWith({ findings }: Found, form: RegExp): string[] {
  const failed = findings.filter((one) => failedWith({ findings: [one] }, form));
  return failed.flatMap(({ address }) => address ?? []);
}

/** The outcome of one try. */
export interface Tried {
  readonly ok: boolean;
  readonly reason?: Reason;
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
  const { ok, reason, evidence } = await work();
  const { code, ...seen } = reason === undefined ? {} : splitReason(reason);
  return {
    name,
    changed,
    ok,
    ...present({ code }),
    elapsedMs: roundMs(performance.now() - start),
    evidence: knownEvidence({ ...seen, ...evidence }),
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
    return { ok: false, reason: transportCode(error, 'tcp'), evidence: { error: describe(error) } };
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
    return { ok: false, reason: transportCode(cause, 'tls'), evidence };
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
    const response = await connection.request(request, context.callLimits(1));
    const ok = isInFormat(response);
    const evidence = { httpStatus: response.status, logId: logIdOf(response), issuer };
    const reason =
      codeOfStatus(response.status, undefined) === 'http.timeout: HTTP 408'
        ? 'http.timeout: HTTP 408'
        : 'http.unexpected-answer';
    return { ok, ...(!ok && { reason }), evidence, response };
  } catch (error) {
    const reason = error instanceof ConnectivityError ? error.reason : 'http.reset';
    return { ok: false, reason, evidence: { error: describe(error), issuer } };
  } finally {
    await connection.close();
    socket.destroy();
  }
}

function describe(error: unknown): string {
  return error instanceof ConnectivityError ? error.message : errorName(error);
}
