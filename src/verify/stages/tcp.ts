import { isIP } from 'node:net';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import { failed, failedBy, passed, warned } from '../model/findings.js';
import type { Finding } from '../model/verification.js';
import { bracketed, findZone } from '../transport/addresses.js';
import { startPath } from '../transport/connect-link.js';
import { type LinkContext, type Stage, timesOf } from '../transport/context.js';
import type { Path } from '../transport/path.js';

/** Node.js 20 gives up an attempt after this time when a name has several addresses. */
const SLOW_MS = 250;

/** One dial for each address, in parallel. */
export const tcp: Stage = async (context) => {
  const { seen } = context;
  seen.paths = seen.allowed.map((address) => startPath(context, address));
  const findings = await Promise.all(seen.paths.map((path) => judge(context, path)));
  return [...findings, ...(await slowOnes(context))];
};

/** One finding for all addresses that open slowly, without the time for which this process was busy. */
async function slowOnes({ seen, proxy }: LinkContext): Promise<Finding[]> {
  if (seen.allowed.length < 2 || proxy !== undefined) return [];
  const dialled = await Promise.all(
    seen.paths.map(async ({ address, tcp: dialling }) => ({ address, ...(await dialling) })),
  );
  const slow = dialled
    .filter(({ ok }) => ok)
    .map(({ address, elapsedMs, ownMs }) => ({ address, elapsedMs: elapsedMs - ownMs }))
    .filter(({ elapsedMs }) => elapsedMs > SLOW_MS);
  if (slow.length === 0) return [];
  const addresses = slow.map(({ address, elapsedMs }) => `${address} ${Math.round(elapsedMs)} ms`);
  const evidence = { addresses: addresses.join(', '), of: dialled.length };
  const elapsedMs = Math.max(...slow.map((one) => one.elapsedMs));
  return [warned('tcp', 'tcp.slow', { elapsedMs, evidence })];
}

async function judge(context: LinkContext, { address, tcp: dialling }: Path): Promise<Finding> {
  const { link, port, seen, proxy } = context;
  const dialled = await dialling;
  const connectedTo = seen.connectTo.get(`${bracketed(address)}:${port}`);
  const family = isIP(address) === 0 ? undefined : isIP(address);
  const facts = {
    ...timesOf(context, dialled),
    address,
    evidence: { port, family, zone: findZone(link, address), connectedTo, proxy: proxy?.shown },
  };
  if (dialled.ok) return passed('tcp', facts);
  if (dialled.error instanceof ConnectivityError) return failedBy('tcp', dialled.error, facts);
  return failed('tcp', transportCode(dialled.error, 'tcp'), {
    ...facts,
    evidence: { ...facts.evidence, error: errorName(dialled.error) },
  });
}
