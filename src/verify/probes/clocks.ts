import { once } from 'node:events';
import { isIP, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { ServiceError } from '../../service/api-response.js';
import { withTimeout } from '../../service/http/limits.js';
import { errorName } from '../../service/http/transport-code.js';
import { readToken } from '../../service/token/access-token.js';
import { clockSkew, SKEW_WARNING_MS, serverOffset, shiftText } from '../model/clock-skew.js';
import { bracketed } from '../transport/addresses.js';
import {
  askForToken,
  callWithoutCredential,
  connectLink,
  secureLink,
} from '../transport/connect-link.js';
import { type Attempt, callLimits } from '../transport/context.js';
import { dialWithin } from '../transport/dial.js';
import { addressesFailedWith, failedWith, type Probe, probed, type Tried } from './probe.js';

const DATED = ['tls.expired', 'tls.not-yet-valid'];
const PLAIN_PORT = 80;

/**
 * Reads the server's clock where the certificate cannot be verified: from the header `Date` of calls
 * without credential, over plain http and over TLS that is not verified.
 */
export const clock: Probe = async (context) => {
  const [address] = addressesFailedWith(context, ...DATED);
  if (address === undefined) return [];
  const { link, host, budgetMs } = context;
  const baseUrl = `http://${bracketed(host)}`;
  const plain = { ...context, link: { ...link, baseUrl }, port: PLAIN_PORT };
  const overTls = async () =>
    await withoutProof(context, await dialWithin(context, address, budgetMs(3)));
  return await Promise.all([
    probed('clock', `plain http at ${address}`, () =>
      readClock(plain, () => dialWithin(plain, address, budgetMs(2))),
    ),
    probed('clock', `TLS without proof at ${address}`, () => readClock(context, overTls)),
  ]);
};

/** Makes a TLS connection to whoever is there: nothing but a date is believed. */
async function withoutProof(
  { run, tlsServerName, budgetMs, signal }: Attempt,
  socket: Socket,
): Promise<Socket> {
  const servername = isIP(tlsServerName) === 0 ? tlsServerName : '';
  const options = { socket, servername, secureContext: run.secureContext() };
  const secured = connect({ ...options, ALPNProtocols: ['http/1.1'], rejectUnauthorized: false });
  return await withTimeout(budgetMs(2), signal, async (own) => {
    own.addEventListener('abort', () => secured.destroy());
    await once(secured, 'secureConnect');
    return secured;
  });
}

async function readClock(context: Attempt, open: () => Promise<Socket>): Promise<Tried> {
  const connection = connectLink(context, open, { anonymous: true });
  try {
    const { response } = await callWithoutCredential(connection, callLimits(context, 1));
    const skewMs = clockSkew(response);
    const evidence = { httpStatus: response.status, skewMs };
    return { ok: skewMs !== undefined && Math.abs(skewMs) <= SKEW_WARNING_MS, evidence };
  } catch (error) {
    return { ok: false, evidence: { error: errorName(error) } };
  } finally {
    await connection.close();
  }
}

/**
 * Signs once more, by the server's clock: what then succeeds failed for the clock alone. The JWT
 * goes over the same verified path as the one before it.
 */
export const serverTime: Probe = async (context) => {
  const { seen } = context;
  const isSkewed = Math.abs(seen.skewMs ?? 0) > SKEW_WARNING_MS;
  const refusals = ['token.clock-skew', ...(isSkewed ? ['token.invalid-client'] : [])];
  if (!failedWith(context, ...refusals)) return [];
  const first = await seen.primaryPath?.answer;
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
    const call = callLimits(context, 1);
    const { response } = await askForToken(context, connection, call, () => Date.now() + offsetMs);
    readToken(response);
    return { ok: true, evidence: { httpStatus: response.status } };
  } catch (error) {
    if (!(error instanceof ServiceError))
      return { ok: false, evidence: { error: errorName(error) } };
    const { code, httpStatus, serviceCode, serviceMessage, logId } = error;
    return { ok: false, code, evidence: { httpStatus, serviceCode, serviceMessage, logId } };
  } finally {
    await connection.close();
  }
}
