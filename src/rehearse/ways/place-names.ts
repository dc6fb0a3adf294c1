import { groupBy } from '../../lists/group-by.js';
import { type Name, peerName } from '../../reach/packet-rule.js';
import { typeOf } from '../../reach/read/address.js';
import type { Place } from './places.js';
import { withAddresses } from './ways.js';

/** Begins the way of packets on which one of several places decides, which follows. */
export const THROUGH = 'through ';
const FIREWALL = 'Cloud Firewall';
export const THROUGH_FIREWALL = `${THROUGH}${FIREWALL}`;

/** Comes before the own address behind a firewall, where there are several. */
export const AT = ' at ';

type Named = Pick<Place, 'direction' | 'carrier' | 'name'> &
  Partial<Pick<Place, 'side' | 'isAlone'>>;

/** A place by its direction and name. */
type PlaceName = Name & Pick<Place, 'direction'>;

/**
 * Names places by what access rules call them, with what decides where a name has several of one kind in all
 * states together: what one of them loses another does not make good. By Terraform's addresses, for what
 * replaces another resource has the address of that.
 *
 * @param states the places of each state
 */
export function placeNames(
  states: readonly (readonly Named[])[],
  addresses: ReadonlyMap<string, string>,
): (place: Named) => PlaceName {
  const ends = [states[0], states.at(-1)].map(
    (own = []) => new Set(own.map(({ carrier }) => carrier)),
  );
  const carrierName = namePlaces(ends, (carrier) => withAddresses(carrier, addresses));
  const subjectOf = ({ name, carrier }: Named) =>
    name === undefined ? carrierName(carrier) : withAddresses(name.subject, addresses);
  const whereOf = ({ isAlone, carrier }: Named) => (isAlone ? FIREWALL : carrierName(carrier));
  const sideOf = ({ side }: Named) => (side === undefined ? '' : peerName(side));
  const keyOf = (place: Named, kind: string) =>
    JSON.stringify([place.direction, place.name?.via, subjectOf(place), kind]);
  const several = (kindOf: (place: Named) => string, of: (place: Named) => string) => {
    const alike = groupBy(states.flat(), (place) => keyOf(place, kindOf(place)));
    const isOne = new Map([...alike].map(([key, all]) => [key, new Set(all.map(of)).size === 1]));
    return (place: Named) => isOne.get(keyOf(place, kindOf(place))) === false;
  };
  const isOneOfSeveral = several(({ carrier }) => typeOf(carrier), whereOf);
  const hasOtherSides = several(whereOf, sideOf);
  return (place) => {
    const { direction, name, isAlone } = place;
    const where = isAlone || isOneOfSeveral(place) ? whereOf(place) : undefined;
    const at = hasOtherSides(place) ? `${AT}${sideOf(place)}` : '';
    const through = `${THROUGH}${where ?? FIREWALL}${at}`;
    const via = where === undefined && at === '' ? (name?.via ?? '') : through;
    return { direction, via, subject: subjectOf(place) };
  };
}

/**
 * Names carriers by their addresses. Two that are there at once, at first or in the end, are of two stacks and
 * also have their identifiers.
 */
function namePlaces(
  ends: readonly ReadonlySet<string>[],
  addressOf: (carrier: string) => string,
): (carrier: string) => string {
  const shared = new Set(
    ends.flatMap((carriers) =>
      [...groupBy([...carriers], addressOf)].flatMap(([address, all]) =>
        all.length > 1 ? [address] : [],
      ),
    ),
  );
  return (carrier) => {
    const address = addressOf(carrier);
    const [, id = carrier] = /^\w+\.([\w-]+)/.exec(carrier) ?? [];
    return shared.has(address) ? `${address} (${id})` : address;
  };
}
