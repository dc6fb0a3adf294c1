import type { Told } from '../reach/read/cloud-state.js';
import { list, object, text } from '../reach/read/json.js';
import type { TerraformStackJson } from '../reach/read/terraform-json.js';
import { ResourceIndex } from '../reach/rules/reading.js';
import { ENDPOINT, isInForce, RECORD, recordName } from '../reach/ways/resolve-name.js';

const CONNECTED = 'Connected';

/**
 * Finds the addresses that endpoints have no longer or have anew, with the names that still lead to an old one, and
 * connections that were accepted and are not any more.
 */
export function endpointChanges(was: TerraformStackJson, now: TerraformStackJson): Told[] {
  const live = new ResourceIndex(now.resources);
  return was.resources.flatMap(({ type, address, body }): Told[] => {
    const there = live.at(address)?.body;
    if (type !== ENDPOINT || there === undefined) return [];
    const [before, after] = [addressesByZone(body), addressesByZone(there)];
    const clauses = [...new Set([...before.keys(), ...after.keys()])].flatMap((zone) => {
      const [old, other] = [before.get(zone), after.get(zone)];
      return old === other || old === '' || other === ''
        ? []
        : `${changeText(zone, old, other)}${stillText(old, live)}`;
    });
    const status = text(there.connection_status);
    const isLost = body.connection_status === CONNECTED && ![CONNECTED, ''].includes(status);
    const lost = isLost ? [`its connection is ${status}, was ${CONNECTED}`] : [];
    return [...clauses, ...lost].map((clause) => ({ address, clause }));
  });
}

/** The addresses of each zone, those of both families as one text. */
function addressesByZone({ zones }: Readonly<Record<string, unknown>>): Map<string, string> {
  return new Map(
    list(zones).map((zone) => {
      const { zone_id: id, private_ip_address: v4, private_ipv_6_address: v6 } = object(zone);
      const addresses = [v4, v6].map(text).filter((one) => one !== '');
      return [text(id), addresses.join(' and ')];
    }),
  );
}

function changeText(zone: string, old: string | undefined, now: string | undefined): string {
  if (old === undefined) return `address ${now} in ${zone} was added`;
  return now === undefined
    ? `its address ${old} in ${zone} was removed`
    : `its address in ${zone} is ${now}, was ${old}`;
}

/** Names the records in force that lead to an address which the endpoint does not have any more. */
function stillText(old: string | undefined, live: ResourceIndex): string {
  const records = live
    .ofType(RECORD)
    .filter((one) => isInForce(one) && (old ?? '').split(' and ').includes(text(one.body.value)));
  const names = [...new Set(records.map((one) => recordName(one, live)))];
  if (names.length === 0) return '';
  return `; ${names.join(', ')} still ${names.length > 1 ? 'lead' : 'leads'} to ${old}`;
}
