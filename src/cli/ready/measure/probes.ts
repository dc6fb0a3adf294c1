import { MARK_PREFIX } from '../../../cloud/table/mark.js';
import type { ResourceRow } from '../../../cloud/table/row.js';
import { vpcPrefixList, vpcSecurityGroup } from '../../../cloud/table/vpc.js';
import type { PatchOperation } from '../../../cloud-control/cloud-writer.js';
import { isObject, type JsonObject } from '../../../files/json.js';

/** A set of an object by its property's name; its members are told apart by their descriptions. */
type Sets = Readonly<Record<string, readonly JsonObject[]>>;

/** An object that a measurement makes, changes and deletes. */
export interface Probe {
  readonly what: string;
  readonly row: ResourceRow;
  /** The property with its name. */
  readonly nameProperty: string;
  /** Properties besides its name, its tag and its sets. */
  readonly properties: JsonObject;
  readonly made: Sets;
  readonly changed: Sets;
}

/** The tag of what a measurement makes, whose value is the name of the run, which the object has too. */
export const RUN_TAG = `${MARK_PREFIX}measure`;

/** The form of the name of a run. */
export const RUN_NAME = /^secure-connectivity-measure-[0-9a-f]{8}$/;

/** Carries a packet of nobody: the networks are those of documentation, and nothing is in the group. */
function rule(direction: string, letter: string, port: number): JsonObject {
  return {
    CidrIp: `192.0.2.${port % 256}/32`,
    Description: letter,
    Direction: direction,
    Policy: 'accept',
    PortEnd: port,
    PortStart: port,
    PrefixListId: '',
    Priority: 10,
    Protocol: 'tcp',
    SourceGroupId: '',
  };
}

const entry = (letter: string, cidr: string): JsonObject => ({ Cidr: cidr, Description: letter });

/** The objects, in neither order of their texts, so that a sorted set is seen as another order. */
export function makeProbes(vpcId: string): readonly Probe[] {
  const kept = rule('egress', 'b', 8002);
  const [one, two] = [entry('d', '192.0.2.4/32'), entry('b', '192.0.2.2/32')];
  return [
    {
      ...{ what: 'security group', row: vpcSecurityGroup, nameProperty: 'SecurityGroupName' },
      properties: { VpcId: vpcId },
      made: {
        EgressPermissions: [rule('egress', 'c', 8003), rule('egress', 'a', 8001), kept],
        IngressPermissions: [rule('ingress', 'f', 8006), rule('ingress', 'e', 8005)],
      },
      changed: {
        EgressPermissions: [rule('egress', 'a', 8011), kept, rule('egress', 'd', 8004)],
        IngressPermissions: [],
      },
    },
    {
      ...{ what: 'prefix list', row: vpcPrefixList, nameProperty: 'PrefixListName' },
      properties: { MaxEntries: 5, IpVersion: 'IPv4' },
      made: {
        PrefixListEntries: [one, entry('a', '192.0.2.1/32'), two, entry('c', '192.0.2.3/32')],
      },
      changed: { PrefixListEntries: [one, entry('a', '192.0.2.11/32'), two] },
    },
  ];
}

/** The whole object, as it is given to the cloud. */
export function newObject({ nameProperty, properties, made }: Probe, run: string): JsonObject {
  return { ...properties, ...made, [nameProperty]: run, Tags: [{ Key: RUN_TAG, Value: run }] };
}

/** The members of a set as it was read; none where the cloud leaves an empty set out. */
export function readMembers(properties: JsonObject, property: string): JsonObject[] {
  const value = properties[property];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Tells whether a member that was read is the one that was written; the cloud adds facts of its own. */
export function isMember(read: JsonObject, written: JsonObject): boolean {
  return Object.entries(written).every(([name, value]) => (read[name] ?? '') === value);
}

/** Returns the patch that makes the wanted sets of those that were read, by the places of members. */
export function patchSets(read: JsonObject, wanted: Sets): PatchOperation[] {
  return Object.entries(wanted).flatMap(([property, members]) => {
    const there = readMembers(read, property);
    const isOf = (one: JsonObject) => (other: JsonObject) => one.Description === other.Description;
    const replaced = there.flatMap((member, index): PatchOperation[] => {
      const value = members.find(isOf(member));
      const path = `/${property}/${index}`;
      return value === undefined || isMember(member, value) ? [] : [{ op: 'replace', path, value }];
    });
    const removed = there.flatMap((member, index): PatchOperation[] =>
      members.some(isOf(member)) ? [] : [{ op: 'remove', path: `/${property}/${index}` }],
    );
    const left = there.length - removed.length;
    const added = members
      .filter((member) => !there.some(isOf(member)))
      .map((value, i): PatchOperation => ({ op: 'add', path: `/${property}/${left + i}`, value }));
    return [...replaced, ...removed.reverse(), ...added];
  });
}
