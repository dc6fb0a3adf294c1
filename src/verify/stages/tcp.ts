import { isIP } from 'node:net';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { errorName, transportCode } from '../../service/transport-code.js';
import { failed, failedBy, passed, warned } from '../findings.js';
import { bracketed } from '../host-port.js';
import type { LinkContext } from '../link-context.js';
import type { Path } from '../path.js';
import type { Stage } from '../stage.js';
import { startPath } from '../start-path.js';
import type { Finding } from '../verification.js';
import { zoneOf } from '../zone-of.js';

/** Node.js 20 gives up an attempt after this time when a name has several addresses. */
const SLOW_MS = 250;

/** One dial for each address, in parallel. */
export const tcp: Stage = {
  name: 'tcp',
  run: async (context) => {
    const { seen } = context;
    seen.paths = seen.allowed.map((address) => startPath(context, address));
    const findings = await Promise.all(seen.paths.map((path) => judge(context, path)));
    return { findings, goOn: findings.some(({ status }) => status !== 'failed') };
  },
};

async function judge(
  { link, port, seen, proxy }: LinkContext,
  { address, tcp: dialling }: Path,
): Promise<Finding> {
  const dialled = await dialling;
  const { elapsedMs } = dialled;
  const reroutedTo = seen.reroutes.get(`${bracketed(address)}:${port}`);
  const family = isIP(address) === 0 ? undefined : isIP(address);
  const facts = {
    elapsedMs,
    address,
    evidence: { port, family, zone: zoneOf(link, address), reroutedTo, proxy: proxy?.shown },
  };
  if (dialled.ok) {
    const isSlow = elapsedMs > SLOW_MS && seen.allowed.length > 1 && proxy === undefined;
    return isSlow ? warned('tcp', 'tcp.slow', facts) : passed('tcp', facts);
  }
  if (dialled.error instanceof ConnectivityError) return failedBy('tcp', dialled.error, facts);
  return failed('tcp', transportCode(dialled.error, 'tcp'), {
    ...facts,
    evidence: { ...facts.evidence, error: errorName(dialled.error) },
  });
}
