import { connectService } from '../../service/http/connection.js';
import { errorName } from '../../service/http/transport-code.js';
import { workspacesRequest } from '../../service/workspaces.js';
import { clockSkew, SKEW_WARNING_MS } from '../model/clock-skew.js';
import type { LooseEvidence } from '../model/findings.js';
import { callLimits } from '../transport/calls.js';
import { dialWithin } from '../transport/dial.js';
import { bracketed } from '../transport/host-port.js';
import { addressesFailedWith, type Probe, type ProbeContext, probed } from './probe.js';

const DATED = ['tls.expired', 'tls.not-yet-valid'];
const PLAIN_PORT = 80;

/**
 * Reads the server's clock where the certificate cannot be verified: from the header `Date` of a
 * call over plain http, without credential.
 */
export const clock: Probe = {
  applies: (context) => addressesFailedWith(context, ...DATED).length > 0,
  run: async (context) => {
    const [address = ''] = addressesFailedWith(context, ...DATED);
    return [await probed('clock', `plain http at ${address}`, () => readClock(context, address))];
  },
};

async function readClock(
  context: ProbeContext,
  address: string,
): Promise<{ ok: boolean; evidence: LooseEvidence }> {
  const { host, signal, budgetMs } = context;
  const baseUrl = `http://${bracketed(host)}`;
  const connection = connectService(baseUrl, {
    anonymous: true,
    open: () => dialWithin({ ...context, port: PLAIN_PORT }, address, budgetMs(2), signal),
  });
  try {
    const request = workspacesRequest(undefined, { pageSize: 1 });
    const response = await connection.request(request, callLimits(context, 1));
    const skewMs = clockSkew(response);
    const evidence = { httpStatus: response.status, skewMs };
    return { ok: skewMs !== undefined && Math.abs(skewMs) <= SKEW_WARNING_MS, evidence };
  } catch (error) {
    return { ok: false, evidence: { error: errorName(error) } };
  } finally {
    await connection.close();
  }
}
