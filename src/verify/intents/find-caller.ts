import type { Intent, TreeIntents } from '../../intents/intents-file.js';
import { parseAddress } from '../../net/address.js';
import { isOwnAddress, readOwnAddresses } from '../transport/addresses.js';
import type { RunContext } from '../transport/context.js';
import { findSource, isRerouted, isTunnel } from './dial-door.js';
import type { Door } from './find-doors.js';
import { means } from './who.js';

/** The address from which a door is dialled. */
export interface Caller {
  /** One address, or each that it may be. */
  readonly from: string;
  /** The limits of what the address says. */
  readonly limits: string;
  /** This machine's own address there; undefined where a rule leads the dial elsewhere. */
  readonly local: string | undefined;
}

/** The address from which this machine is seen, if the intent speaks of it. */
export async function findCaller(
  run: RunContext,
  file: TreeIntents,
  { from }: Pick<Intent, 'from'>,
  door: Door,
): Promise<Caller | { readonly why: string }> {
  if (run.proxy !== undefined) return { why: `behind the proxy ${run.proxy.shown}` };
  const { family } = parseAddress(door.host);
  const given = (await readOwnAddresses(run.options.ownAddresses ?? []))
    .filter(isOwnAddress)
    .filter((address) => parseAddress(address).family === family);
  const source = await findSource(door.host);
  // Where a rule leads the dial elsewhere, this machine's own address there says nothing.
  const local = (await isRerouted(run, door)) ? undefined : source;
  if (local !== undefined && isTunnel(local.device)) {
    return { why: `behind the tunnel ${local.device}` };
  }
  // What a machine sends to itself passes no rule on the way.
  if (local?.address === door.host)
    return { why: `this machine has the address ${door.host} itself` };
  const seen = [...new Set([...given, ...(local === undefined ? [] : [local.address])])];
  if (seen.length === 0) return { why: 'the address from which this machine calls is not known' };
  const names = { file, links: [], via: door.via, isInward: door.via !== 'fixed-ip-egress' };
  for (const address of seen) {
    const isMeant = means(from, address, names);
    if (isMeant === true) continue;
    const which =
      isMeant === undefined
        ? 'it is not known whether the intent speaks of'
        : 'the intent does not speak of';
    return { why: `${which} ${address}, from which this machine calls` };
  }
  const asGiven = given.length > 0 ? ' as given' : '';
  const addresses = seen.join(' or ');
  return {
    from: addresses,
    limits: `from ${addresses}${asGiven}; NAT not excluded`,
    local: local?.address,
  };
}
