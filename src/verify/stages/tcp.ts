import { ConnectivityError } from '../../codes/connectivity-error.js';
import { errorName, transportCode } from '../../service/transport-code.js';
import { failed, failedBy, passed } from '../findings.js';
import { bracketed } from '../host-port.js';
import type { LinkContext } from '../link-context.js';
import type { Path } from '../path.js';
import type { Stage } from '../stage.js';
import { startPath } from '../start-path.js';
import type { Finding } from '../verification.js';

/** One dial for each address, all at once. */
export const tcp: Stage = {
  name: 'tcp',
  run: async (context) => {
    const { seen } = context;
    seen.paths = seen.allowed.map((address) => startPath(context, address));
    const findings = await Promise.all(seen.paths.map((path) => judge(context, path)));
    return { findings, goOn: findings.some(({ status }) => status === 'passed') };
  },
};

async function judge(
  { port, seen }: LinkContext,
  { address, tcp: dialling }: Path,
): Promise<Finding> {
  const dialled = await dialling;
  const { elapsedMs } = dialled;
  const reroutedTo = seen.reroutes.get(`${bracketed(address)}:${port}`);
  const facts = { elapsedMs, address, evidence: { port, reroutedTo } };
  if (dialled.ok) return passed('tcp', facts);
  if (dialled.error instanceof ConnectivityError) return failedBy('tcp', dialled.error, facts);
  return failed('tcp', transportCode(dialled.error, 'tcp'), {
    ...facts,
    evidence: { ...facts.evidence, error: errorName(dialled.error) },
  });
}
