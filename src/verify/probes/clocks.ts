import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { ServiceError } from '../../service/api-response.js';
import { errorName } from '../../service/http/transport-code.js';
import { readToken } from '../../service/token/access-token.js';
import { clockSkew, SKEW_WARNING_MS, serverOffset, shiftText } from '../model/clock-skew.js';
import { isOpenRefusal } from '../model/refusal-words.js';
import {
  askForToken,
  callWithoutCredential,
  connectLink,
  secureLink,
} from '../transport/connect-link.js';
import type { Attempt } from '../transport/context.js';
import { dialWithin } from '../transport/dial.js';
import { addressesFailedWith, type Probe, probed, type Tried } from './probe.js';

const DATED = /^tls\.expired(: not yet valid)?$/;

/**
 * Reads the server's clock where the certificate cannot be verified: from the header `Date` of a call
 * without credential, over TLS that is not verified. No port is dialled but the link's own.
 */
export const clock: Probe = async (context) => {
  const [address] = addressesFailedWith(context, DATED);
  if (address === undefined) return [];
  const changed = `TLS without proof at ${address}`;
  return [await probed('clock', changed, () => readClock(context, address))];
};

async function readClock(context: Attempt, address: string): Promise<Tried> {
  const connection = connectLink(context, () => openWithoutProof(context, address));
  try {
    const { response } = await callWithoutCredential(connection, context.callLimits(1));
    const skewMs = clockSkew(response);
    const evidence = { httpStatus: response.status, skewMs };
    return { ok: skewMs !== undefined && Math.abs(skewMs) <= SKEW_WARNING_MS, evidence };
  } catch (error) {
    return { ok: false, evidence: { error: errorName(error) } };
  } finally {
    await connection.close();
  }
}

/** Makes a TLS connection to whoever is there: nothing but a date is believed. */
async function openWithoutProof(context: Attempt, address: string): Promise<Socket> {
  const { run, tlsServerName, budgetMs, signal } = context;
  const socket = await dialWithin(context, address, budgetMs(3));
  const servername = isIP(tlsServerName) === 0 ? tlsServerName : '';
  const options = { socket, servername, secureContext: run.secureContext() };
  const secured = connect({ ...options, ALPNProtocols: ['http/1.1'], rejectUnauthorized: false });
  signal.addEventListener('abort', () => secured.destroy());
  await once(secured, 'secureConnect', { signal });
  return secured;
}

/**
 * Signs once more, by the server's clock, where nothing explains a refusal: what then succeeds failed for
 * the clock alone. The JWT goes over the same verified path as the one before it.
 */
export const serverTime: Probe = async (context) => {
  const { findings, seen } = context;
  const first = findings.some(isOpenRefusal) ? await seen.primaryPath?.answer : undefined;
  const offsetMs = first?.ok ? serverOffset(first.value.response) : undefined;
  if (offsetMs === undefined) return [];
  const changed = `a JWT signed ${shiftText(offsetMs)}`;
  return [await probed('server-time', changed, () => sign(context, offsetMs))];
};

async function sign(context: Attempt, offsetMs: number): Promise<Tried> {
  const { seen, budgetMs } = context;
  const address = seen.primaryPath?.address ?? '';
  const connection = connectLink(context, async () => {
    const socket = await dialWithin(context, address, budgetMs(3));
    return (await secureLink(context, socket, 2)).socket;
  });
  try {
    const call = context.callLimits(1);
    const { response } = await askForToken(context, connection, call, () => Date.now() + offsetMs);
    readToken(response);
    return { ok: true, evidence: { httpStatus: response.status } };
  } catch (error) {
    if (!(error instanceof ServiceError))
      return { ok: false, evidence: { error: errorName(error) } };
    const { reason: found, httpStatus, serviceCode, serviceMessage, logId } = error;
    const reason =
      found === 'http.unexpected-answer' ? 'http.unexpected-answer: token call' : found;
    return { ok: false, reason, evidence: { httpStatus, serviceCode, serviceMessage, logId } };
  } finally {
    await connection.close();
  }
}
