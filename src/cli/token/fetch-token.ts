import { ConnectivityError } from '../../codes/connectivity-error.js';
import { connectService } from '../../service/connection.js';
import { signJwt } from '../../service/jwt.js';
import { type AccessToken, checkTokenOptions, exchangeToken } from '../../service/token.js';
import { TimedOut, withTimeout } from '../../service/with-timeout.js';
import { hostOf } from '../../verify/host-port.js';
import { prepareRun } from '../../verify/prepare-run.js';
import { KEY_VARIABLE } from '../verify/flags/credentials.js';
import type { TokenFlags } from './flags.js';
import { neededSettings } from './needed-settings.js';
import { openSocket } from './open-socket.js';

const TIMEOUT_MS = 30_000;

/** Gets a token by the way that the flags name. @throws ConnectivityError that of the stage of `verify` that would have failed */
export async function fetchToken(
  flags: TokenFlags,
  names: Readonly<Record<string, string>>,
  outside: AbortSignal,
): Promise<AccessToken> {
  const { dnsServer, connectTo, caFile, timeout: timeoutMs = TIMEOUT_MS } = flags;
  const { privateKeyFile, durationSeconds, sessionName } = flags;
  const { url, appId, apiHost, keyId, enterpriseId } = neededSettings(flags);
  const who = { enterpriseId, ...(durationSeconds !== undefined && { durationSeconds }) };
  checkTokenOptions(who, names);
  const privateKey = process.env[KEY_VARIABLE];
  const credentials = { privateKeyFile, privateKey };
  const run = await prepareRun({ dnsServer, connectTo, caFile, timeoutMs, credentials, names });
  return await inTime(timeoutMs, outside, async (signal) => {
    const { jwt } = await signJwt({
      privateKey: (await run.key()).key,
      keyId,
      appId,
      apiHost,
      ...(sessionName !== undefined && { sessionName }),
    });
    const place = { url, tlsServerName: flags.tlsServerName ?? hostOf(url) };
    const open = () => openSocket(run, place, { signal, timeoutMs });
    const connection = connectService(url.origin, { open });
    const request = { ...who, jwt };
    try {
      return await exchangeToken(connection, request, { signal, timeoutMs });
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
