import type { OpenPart, OpenWay } from '../reach/questions/table.js';
import { nounOf, shortName } from '../reach/reports/names.js';
import type { Door } from '../reach/ways/door.js';
import type { DoorBox } from './model.js';

/** The word for a door whose rules are carried by no resource that has one. */
const KINDS: Readonly<Record<Door['list']['kind'], string>> = {
  gate: 'condition',
  acl: 'network ACL',
  group: 'security group',
  listener: 'listener',
  firewall: 'Cloud Firewall',
};

/** Lists the doors of a place in the order in which packets pass them; of peers known by name, what lets them in. */
export function doorBoxes({ series }: OpenWay, parts: readonly OpenPart[]): DoorBox[] {
  if (series === undefined) {
    const [one, other] = new Set(parts.flatMap((part) => part.resources));
    return one === undefined || other !== undefined ? [] : [toBox(one, 'resource')];
  }
  return series.map(({ list: { kind, carrier, rules } }) =>
    kind === 'gate'
      ? { word: KINDS.gate, name: rules[0]?.text ?? carrier }
      : toBox(carrier, KINDS[kind]),
  );
}

function toBox(carrier: string, kind: string): DoorBox {
  return { word: nounOf(carrier) ?? kind, name: shortName(carrier) };
}

/** The kind of a place for people, by the option that it is of. */
const ROLES: Readonly<Record<string, string>> = {
  'service-endpoint': 'endpoint of the AI-agent service',
  'plugin-endpoint-service': 'plugin',
  'fixed-ip-ingress': 'plugin',
  'fixed-ip-egress': 'workloads',
};

/** Names the kind of a place; empty where no option says it. */
export function roleOf({ via }: OpenWay): string {
  return ROLES[via] ?? '';
}
