import { isIP, type Socket } from 'node:net';
import { factsOf } from '../../codes/codes.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { present } from '../../files/json.js';
import { checkGiven } from '../../service/given-text.js';
import { checkStaysInside, parseBaseUrl } from '../../service/http/base-url.js';
import { connectService } from '../../service/http/connection.js';
import { TimedOut, withTimeout } from '../../service/http/limits.js';
import {
  errorName,
  type TransportPhase,
  transportCode,
} from '../../service/http/transport-code.js';
import { readToken } from '../../service/token/access-token.js';
import { checkApiHost, checkId, jwtWarnings } from '../../service/token/jwt.js';
import type { AccessToken } from '../../service/token/token-cache.js';
import { callToken, checkTokenOptions } from '../../service/token/token-exchange.js';
import { KEY_VARIABLE } from '../../terraform/program.js';
import { loadKey, prepareRun } from '../../verify/run/prepare-run.js';
import { readHost, readPort } from '../../verify/transport/addresses.js';
import type { RunContext } from '../../verify/transport/context.js';
import { dial } from '../../verify/transport/dial.js';
import { resolveName } from '../../verify/transport/resolve-name.js';
import { readHandshakeError, startTls } from '../../verify/transport/tls/secure.js';
import type { Flags } from '../verify/flags/table.js';

const TIMEOUT_MS = 30_000;

/** The flags of `token`. */
export type TokenFlags = Flags & {
  readonly durationSeconds?: number;
  readonly sessionName?: string;
  readonly deviceId?: string;
  readonly customConsumer?: string;
};

/** Gets a token by the way that the flags name. @throws ConnectivityError that of the stage of `verify` that would have failed */
export async function fetchToken(
  flags: TokenFlags,
  names: Readonly<Record<string, string>>,
  outside: AbortSignal,
): Promise<AccessToken> {
  const { dnsServer, connectTo, caFile, timeout: timeoutMs = TIMEOUT_MS } = flags;
  const { privateKeyFile, durationSeconds, sessionName, deviceId, customConsumer } = flags;
  const given = present({ deviceId, customConsumer });
  const device = Object.keys(given).length === 0 ? undefined : given;
  const { url, appId, apiHost, keyId, enterpriseId } = neededSettings(flags);
  const optional = present({ durationSeconds, sessionName, device });
  for (const [field, id] of Object.entries({ appId, keyId })) checkId(names[field] ?? field, id);
  for (const field of ['sessionName', 'deviceId', 'customConsumer'] as const) {
    if (flags[field] !== undefined) checkGiven(names[field] ?? field, flags[field]);
  }
  checkTokenOptions({ enterpriseId, ...optional }, names);
  const privateKey = process.env[KEY_VARIABLE];
  const credentials = { privateKeyFile, privateKey };
  const run = await prepareRun({ dnsServer, connectTo, caFile, timeoutMs, credentials, names });
  return await inTime(timeoutMs, outside, async (signal) => {
    const { key: privateKey, groupReadable } = await loadKey(credentials, { timeoutMs, names });
    const who = { enterpriseId, appId, apiHost, keyId, privateKey, ...optional };
    const tlsServerName = flags.tlsServerName ?? readHost(url);
    const open = () => openSocket(run, url, tlsServerName, { signal, timeoutMs });
    const connection = connectService(url.origin, { open });
    try {
      const { response } = await callToken(connection, who, { signal, timeoutMs });
      const token = readToken(response, durationSeconds);
      const readable =
        groupReadable && `${factsOf('key.permissions: group').cause} Run: ${groupReadable}`;
      const warnings = [readable ?? [], jwtWarnings(optional, names), token.problems ?? []].flat();
      for (const text of warnings) process.stderr.write(`token: ${text}\n`);
      return token;
    } finally {
      await connection.close();
    }
  });
}

async function inTime<T>(
  timeoutMs: number,
  outside: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await withTimeout(timeoutMs, outside, work);
  } catch (error) {
    if (outside.aborted) throw new ConnectivityError('run.interrupted', 'interrupted');
    if (!(error instanceof TimedOut)) throw error;
    throw new ConnectivityError('run.deadline', `no token within ${timeoutMs} ms; see --timeout`);
  }
}

/** Reads the settings without a default. @throws ConnectivityError naming every flag that is missing */
function neededSettings(flags: Flags) {
  const { baseUrl = '', apiHost = '', enterpriseId = '', appId = '', keyId = '' } = flags;
  const given = {
    '--base-url': baseUrl,
    '--api-host': apiHost,
    '--enterprise-id': enterpriseId,
    '--app-id': appId,
    '--key-id': keyId,
    '--private-key-file': flags.privateKeyFile ?? process.env[KEY_VARIABLE] ?? '',
  };
  const missing = Object.entries(given).flatMap(([flag, value]) =>
    value === '' ? `\`${flag}\`` : [],
  );
  if (missing.length > 0) {
    throw new ConnectivityError(
      'credentials.missing',
      `${missing.join(', ')} must be given, by flag or by variable, got: nothing`,
    );
  }
  const url = parseBaseUrl(baseUrl, flags.allowPlainHttp ?? false, {
    baseUrl: '--base-url',
    allowPlainHttp: '--allow-plain-http',
  });
  checkApiHost(apiHost, '--api-host');
  return { url, apiHost, enterpriseId, appId, keyId };
}

/**
 * Opens the socket for the token call: to the first address that takes the connection.
 *
 * @param tlsServerName the server name (SNI) sent and verified in TLS
 * @throws ConnectivityError `dns.*`, `tcp.*`, `tls.*`, `address.unexpected`
 */
async function openSocket(
  run: RunContext,
  url: URL,
  tlsServerName: string,
  times: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Socket> {
  const host = readHost(url);
  const isPlain = url.protocol === 'http:';
  const resolve = () => resolveName(host, { ...times, server: run.dnsServer });
  const { addresses } = isIP(host) ? { addresses: [host] } : await inPhase('dns', host, resolve);
  const seen = { connectTo: new Map() };
  const way = { run, host, port: readPort(url), isPlain, seen, proxy: undefined };
  const server = { run, tlsServerName, sendsServerName: true };
  let failure: unknown;
  for (const address of addresses) {
    if (isPlain) checkStaysInside(host, address);
    try {
      const socket = await inPhase('tcp', address, () => dial(way, address, times.signal));
      if (isPlain) return socket;
      return (await inPhase('tls', address, () => startTls(server, socket, times.signal))).socket;
    } catch (error) {
      times.signal.throwIfAborted();
      failure ??= error;
    }
  }
  throw failure;
}

async function inPhase<T>(phase: TransportPhase, to: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectivityError) throw error;
    const { cause } = readHandshakeError(error);
    const code = transportCode(cause, phase);
    throw new ConnectivityError(code, `no connection to ${to} (${phase}): ${errorName(cause)}`, {
      cause,
    });
  }
}
