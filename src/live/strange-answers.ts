import { isInZone } from '../net/host-name.js';
import { type Json, list, object, text } from '../reach/read/json.js';
import type { CloudName } from './leads.js';
import type { ReadObjects } from './read-outward.js';

/** Something of others that answers a name for the stack's networks. */
export interface StrangeAnswer extends CloudName {
  readonly clause: string;
}

interface Zone extends CloudName {
  readonly name: string;
  readonly body: Json;
}

const [ZONE, RECORD, RULE] = ['PrivateZone', 'Record', 'ResolverRule'].map(
  (type) => `Volcengine::PrivateZone::${type}`,
) as [string, string, string];

/** The private DNS that a stack's networks ask, and the names that it asks for. */
interface PrivateDns {
  readonly isOwn: (name: CloudName) => boolean;
  readonly zones: readonly Zone[];
  readonly records: readonly Zone[];
  readonly rules: readonly Zone[];
  /** Names that the stack uses. */
  readonly asked: readonly string[];
  readonly asks: (asked: Zone) => boolean;
  readonly nameOf: (record: Zone) => string;
}

/**
 * Finds records beside those of the stack, and zones and resolver rules that its networks ask, if they
 * answer for a name that the stack uses. A zone of a longer name goes before one of a shorter.
 *
 * @param hosts names that the stack uses beside those of its zones
 */
export function strangeAnswers(
  { resources }: Pick<ReadObjects, 'resources'>,
  isOwn: (name: CloudName) => boolean,
  hosts: readonly string[],
): StrangeAnswer[] {
  const dns = readPrivateDns(resources, isOwn, hosts);
  return [
    ...strangeRecords(dns),
    ...dns.zones.filter((zone) => !isOwn(zone) && dns.asks(zone)).flatMap(answerOfZone(dns)),
    ...dns.rules.filter(dns.asks).flatMap(answerOfRule(dns)),
  ];
}

function readPrivateDns(
  resources: ReadObjects['resources'],
  isOwn: (name: CloudName) => boolean,
  hosts: readonly string[],
): PrivateDns {
  const all = (cloudType: string) =>
    Object.entries(resources[cloudType] ?? {}).map(([identifier, body]) => {
      return { cloudType, identifier, body, name: text(body.ZoneName).toLowerCase() };
    });
  const records = all(RECORD).filter(isAddress);
  const networks = ownNetworks(resources, isOwn);
  const nameOf = ({ body: { ZID, Host } }: Zone) => {
    const zone = text(resources[ZONE]?.[String(ZID)]?.ZoneName).toLowerCase();
    return text(Host) === '@' ? zone : `${text(Host).toLowerCase()}.${zone}`;
  };
  return {
    isOwn,
    zones: all(ZONE),
    records,
    rules: all(RULE).filter(({ body }) => body.Enable !== false && body.Type === 'OUTBOUND'),
    asked: [...new Set([...hosts, ...records.filter(isOwn).map(nameOf)])],
    asks: ({ body }) =>
      [...list(body.Vpcs), ...list(body.VPCs)].some((one) =>
        Object.values(object(one)).some((id) => networks.has(text(id))),
      ),
    nameOf,
  };
}

function strangeRecords({ isOwn, zones, records, asked, nameOf }: PrivateDns): StrangeAnswer[] {
  const own = zones.filter(isOwn);
  return records
    .filter((record) => !isOwn(record) && own.some((zone) => isIn(zone, record)))
    .filter((record) => asked.some((name) => meets(name, nameOf(record))))
    .map((record) =>
      said(record, `${text(record.body.Host)} resolves to ${text(record.body.Value)} as well`),
    );
}

function answerOfZone({ isOwn, zones, records, asked, nameOf }: PrivateDns) {
  const own = zones.filter(isOwn);
  return (zone: Zone): StrangeAnswer[] => {
    const longer = own.filter(({ name }) => name.length > zone.name.length);
    const isCovered = (one: string) => longer.some(({ name }) => covers(name, one));
    const name = asked.find((one) => covers(zone.name, one) && !isCovered(one));
    if (name === undefined) return [];
    const values = records
      .filter((record) => isIn(zone, record))
      .filter((record) => meets(nameOf(record), name) || meets(name, nameOf(record)))
      .map(({ body }) => text(body.Value));
    // Such a zone leaves a name that it does not have to others.
    if (values.length === 0 && zone.body.RecursionMode === true) return [];
    const what = values.length === 0 ? 'no address' : values.join(', ');
    return [said(zone, `the zone ${zone.name} answers for ${name} as well, with ${what}`)];
  };
}

function answerOfRule({ asked }: PrivateDns) {
  return (rule: Zone): StrangeAnswer[] => {
    const forwarded = rule.name.split(',').map((one) => one.trim().replace(/^\*\.?/, ''));
    const name = asked.find((one) => forwarded.some((zone) => covers(zone, one)));
    if (name === undefined) return [];
    const servers = list(rule.body.ForwardIPs).flatMap(
      (one) => Object.values(object(one))[0] ?? [],
    );
    const clause = `a resolver rule may send questions for ${name} to ${servers.join(', ')}`;
    return [said(rule, clause)];
  };
}

function isIn({ identifier }: Zone, { body }: Zone): boolean {
  return String(body.ZID) === identifier;
}

function said({ cloudType, identifier }: CloudName, clause: string): StrangeAnswer {
  return { cloudType, identifier, clause };
}

function isAddress({ body }: Zone): boolean {
  return body.Enable !== false && ['A', 'AAAA', 'CNAME'].includes(text(body.Type));
}

/** The VPCs in which the stack has something. */
function ownNetworks(resources: ReadObjects['resources'], isOwn: (name: CloudName) => boolean) {
  const own = Object.entries(resources).flatMap(([cloudType, all]) =>
    Object.entries(all)
      .filter(([identifier]) => isOwn({ cloudType, identifier }))
      .flatMap(([, { VpcId: vpc, Vpcs: more }]) => [
        vpc,
        ...list(more).map((one) => object(one).VpcId),
      ]),
  );
  return new Set(own.map(text).filter((id) => id !== ''));
}

/** An empty name is the root, which covers every name. */
function covers(zone: string, name: string): boolean {
  return zone === '' || isInZone(name, zone);
}

/** The first name is the second one, or a wildcard over it. */
function meets(pattern: string, name: string): boolean {
  return pattern === name || (pattern.startsWith('*.') && name.endsWith(pattern.slice(1)));
}
