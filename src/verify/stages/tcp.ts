import { isIP } from 'node:net';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { errorName, transportCode } from '../../service/http/transport-code.js';
import { failed, failedBy, passed, skipped, warned } from '../model/findings.js';
import type { Finding } from '../model/verification.js';
import { bracketed, findZone, lackOf } from '../transport/addresses.js';
import { dialTimed, startPath } from '../transport/connect-link.js';
import { type LinkContext, type Stage, timesOf } from '../transport/context.js';
import type { Dialled, Path } from '../transport/path.js';

/** Node.js gives up an attempt after this time when a name has several addresses. */
const SLOW_MS = 250;

/** A packet was lost: systems send it again after a second (RFC 6298), of which some may count as busy. */
const LOST_MS = 900;

/** One dial for each address, in parallel. */
export const tcp: Stage = async (context) => {
  const { seen } = context;
  seen.paths = seen.allowed.map((address) => startPath(context, address));
  const findings = await Promise.all(seen.paths.map((path) => judge(context, path)));
  return [...withoutFamily(findings), ...(await slowOnes(context))];
};

/** An address of a family that this machine does not have says nothing of a link that has the other one too. */
function withoutFamily(findings: readonly Finding[]): readonly Finding[] {
  const lacking = findings.filter(({ evidence }) => evidence.own !== undefined);
  const [first] = lacking;
  if (first === undefined || lacking.length === findings.length) return findings;
  const { own = '', error = '' } = first.evidence;
  const addresses = lacking.flatMap(({ address }) => address ?? []).join(', ');
  return [
    ...findings.map((one) =>
      lacking.includes(one) ? skipped('tcp', `this machine has ${own}`, one) : one,
    ),
    warned('tcp', 'tcp.unreachable: not this family', { evidence: { addresses, own, error } }),
  ];
}

/** One finding for all addresses that open slowly, without the time for which this process was busy. */
async function slowOnes(context: LinkContext): Promise<Finding[]> {
  const { seen, proxy } = context;
  if (seen.allowed.length < 2 || proxy !== undefined) return [];
  const all = await Promise.all(seen.paths.map((path) => slowTimes(context, path)));
  const slow = all.filter(({ times }) => times.length > 0);
  if (slow.length === 0) return [];
  const addresses = slow.map(
    ({ address, times }) => `${address} ${times.map(Math.round).join(' and ')} ms`,
  );
  const evidence = { addresses: addresses.join(', '), of: all.length };
  const elapsedMs = Math.max(...slow.flatMap(({ times }) => times));
  return [warned('tcp', 'tcp.slow', { elapsedMs, evidence })];
}

/**
 * Milliseconds of each dial of an address that opens slowly; none where it does not. A machine under
 * load can hold up one handshake, even to itself, so that a second dial must be slow as well.
 */
async function slowTimes(context: LinkContext, { address, tcp: dialling }: Path) {
  const first = openMs(await dialling);
  if (first <= SLOW_MS) return { address, times: [] };
  if (first >= LOST_MS) return { address, times: [first] };
  const again = await dialTimed(context, address);
  if (again.ok) again.value.destroy();
  const second = openMs(again);
  return { address, times: second > SLOW_MS ? [first, second] : [] };
}

/** The time in which the address opened; none if it did not. */
function openMs({ ok, elapsedMs, ownMs }: Dialled): number {
  return ok ? elapsedMs - ownMs : 0;
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
  const code = transportCode(dialled.error, 'tcp');
  const isHere = /^tcp\.unreachable/.test(code) && connectedTo === undefined;
  const own = isHere && family !== undefined ? await lackOf(family) : undefined;
  const evidence = { ...facts.evidence, error: errorName(dialled.error), own };
  return failed('tcp', code, { ...facts, evidence });
}
