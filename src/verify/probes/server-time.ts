import { ServiceError } from '../../service/service-error.js';
import { speakOver } from '../../service/speak-over.js';
import { readToken } from '../../service/token.js';
import { errorName } from '../../service/transport-code.js';
import { withTimeout } from '../../service/with-timeout.js';
import { callToken } from '../calls.js';
import { SKEW_WARNING_MS } from '../clock-skew.js';
import { dial } from '../dial.js';
import type { LooseEvidence } from '../findings.js';
import { secure } from '../secure.js';
import { failedWith, type Probe, type ProbeContext } from './probe.js';
import { probed } from './probe-result.js';

/**
 * Signs once more, by the server's clock: what then succeeds failed for the clock alone. The JWT
 * goes over the same verified path as the one before it.
 */
export const serverTime: Probe = {
  applies: (context) =>
    failedWith(context, 'token.invalid-client', 'token.clock-skew') &&
    Math.abs(context.seen.skewMs ?? 0) > SKEW_WARNING_MS &&
    context.seen.carrier !== undefined,
  run: async (context) => {
    const skewMs = context.seen.skewMs ?? 0;
    return [
      await probed('server-time', `a JWT signed ${skewMs} ms later`, () => sign(context, skewMs)),
    ];
  },
};

async function sign(
  context: ProbeContext,
  skewMs: number,
): Promise<{ ok: boolean; evidence: LooseEvidence }> {
  const { link, seen, signal, budgetMs, isPlain } = context;
  const address = seen.carrier?.address ?? '';
  const connection = speakOver(link.baseUrl, () =>
    withTimeout(budgetMs(2), signal, async (own) => {
      const socket = await dial(context, address, own);
      return isPlain ? socket : (await secure(context, socket, own)).socket;
    }),
  );
  try {
    const call = { signal, timeoutMs: budgetMs(1) };
    const { response } = await callToken(context, connection, call, () => Date.now() + skewMs);
    readToken(response);
    return { ok: true, evidence: { httpStatus: response.status } };
  } catch (error) {
    const said = error instanceof ServiceError ? error.serviceCode : undefined;
    return { ok: false, evidence: { serviceCode: said, error: errorName(error) } };
  } finally {
    await connection.close();
  }
}
