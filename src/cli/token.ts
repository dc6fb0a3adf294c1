import { Command } from 'commander';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { connectService } from '../service/connection.js';
import { signJwt } from '../service/jwt.js';
import { type AccessToken, exchangeToken } from '../service/token.js';
import { TimedOut, withTimeout } from '../service/with-timeout.js';
import { hostOf } from '../verify/host-port.js';
import { prepareRun } from '../verify/prepare-run.js';
import { parseArguments } from './parse-arguments.js';
import { report } from './report-error.js';
import { addTokenFlags, type TokenFlags } from './token/flags.js';
import { neededSettings } from './token/needed-settings.js';
import { openSocket } from './token/open-socket.js';
import { interruptible, leaveSoon } from './verify/interruptible.js';
import { KEY_VARIABLE } from './verify/setting-sources.js';

const TIMEOUT_MS = 30_000;

const HELP = `
Prints the access token and a line feed to standard output, and nothing else; errors go to standard
error. Keep it out of logs:  TOKEN=$(secure-connectivity token --base-url … --api-host …)
Exit status: that of the stage of \`verify\` that would have failed.`;

export default async function main(args: readonly string[]): Promise<number> {
  const command = addTokenFlags(new Command('secure-connectivity token'))
    .description('Prints an access token, for scripts.')
    .addHelpText('after', HELP);
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const flags = command.opts<TokenFlags>();
  try {
    const { value } = await interruptible((signal) => fetchToken(flags, signal));
    process.stdout.write(`${value.reveal()}\n`);
    return 0;
  } catch (error) {
    return report(error);
  } finally {
    leaveSoon();
  }
}

async function fetchToken(flags: TokenFlags, outside: AbortSignal): Promise<AccessToken> {
  const { dnsServer, connectTo, caFile, timeout: timeoutMs = TIMEOUT_MS } = flags;
  const { privateKeyFile, durationSeconds, sessionName } = flags;
  const { url, appId, apiHost, keyId, enterpriseId } = neededSettings(flags);
  const privateKey = process.env[KEY_VARIABLE];
  const credentials = { privateKeyFile, privateKey };
  const run = await prepareRun({ dnsServer, connectTo, caFile, timeoutMs, credentials });
  const { jwt } = await signJwt({
    privateKey: (await run.key()).key,
    keyId,
    appId,
    apiHost,
    ...(sessionName !== undefined && { sessionName }),
  });
  return await inTime(timeoutMs, outside, async (signal) => {
    const place = { url, tlsServerName: flags.tlsServerName ?? hostOf(url) };
    const open = () => openSocket(run, place, { signal, timeoutMs });
    const connection = connectService(url.origin, { open });
    const request = {
      enterpriseId,
      jwt,
      ...(durationSeconds !== undefined && { durationSeconds }),
    };
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
