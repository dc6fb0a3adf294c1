import type { ServiceRequest } from '../../service/http/message.js';
import { inSmallPackets } from '../transport/in-small-packets.js';
import { addressesFailedWith, failedWith, type Probe, type ProbeContext, probed } from './probe.js';
import { type Tried, tryRoute } from './try-route.js';

/** More than one packet of any usual size, and less than what servers take as a request's head. */
const PADDING_BYTES = 9_000;
export const LARGE = `${PADDING_BYTES} bytes more`;

const LOST = ['http.timeout', 'http.reset'];

/** How the attempt is reported that differs from the large ones in the size of its packets alone. */
export const IN_SMALL_PACKETS = `${LARGE}, in small packets`;

/** One small call without credential on a new connection: who answers proves the network good. */
export const noCredential: Probe = {
  applies: (context) => withoutAnswer(context).length > 0,
  run: (context) =>
    Promise.all(
      withoutAnswer(context).map((address) =>
        probed('no-credential', address, () => tryRoute(context, address)),
      ),
    ),
};

/** The addresses at which the call was lost, or what came could not be read. */
function withoutAnswer(context: ProbeContext): string[] {
  const unread = context.findings.filter(({ evidence }) => evidence.httpStatus === undefined);
  return [
    ...addressesFailedWith(context, ...LOST),
    ...addressesFailedWith({ ...context, findings: unread }, 'http.not-the-service'),
  ];
}

/**
 * A small call and, twice, one that fills packets: one slow request alone says nothing of sizes. Over
 * TLS the large one is also sent in small packets.
 */
export const largeRequest: Probe = {
  applies: (context) => failedWith(context, ...LOST, 'api.timeout', 'api.reset', 'chat.call-lost'),
  run: async (context) => {
    const address = addressesFailedWith(context, ...LOST)[0] ?? context.seen.carrier?.address;
    if (address === undefined) return [];
    const small = probed('large-request', 'small', () => tryRoute(context, address));
    const large = ['first', 'second'].map((which) =>
      probed('large-request', `${LARGE}, ${which} try`, async () =>
        answered(await tryRoute(context, address, padded())),
      ),
    );
    const slow = probed('large-request', IN_SMALL_PACKETS, async () =>
      answered(await tryRoute(context, address, padded(), inSmallPackets)),
    );
    return await Promise.all([small, ...large, ...(context.isPlain ? [] : [slow])]);
  },
};

/** Any answer proves that the large packets have arrived, even one that refuses them. */
function answered(tried: Tried): Tried {
  return tried.response === undefined ? tried : { ok: true, evidence: tried.evidence };
}

function padded(): ServiceRequest {
  const padding = 'x'.repeat(PADDING_BYTES);
  return { method: 'GET', path: `/v1/workspaces?page_num=1&page_size=1&padding=${padding}` };
}
