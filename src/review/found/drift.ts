import type { Packets } from '../../reach/packet-rule.js';
import { openParts } from '../../reach/questions/table.js';
import type { FoundCloud } from '../../reach/read/cloud-state.js';
import { list, text } from '../../reach/read/json.js';
import {
  NO_TERRAFORM,
  type TerraformResource,
  type TerraformStackJson,
} from '../../reach/read/terraform-json.js';
import { peerOf, toRegion } from '../../reach/sets/region.js';
import type { Door } from '../../reach/ways/door.js';
import { readReached } from '../../reach/ways/doors.js';
import { findFactChanges } from '../changes/stack-changes.js';
import { readEffectiveAccess } from '../effective-rules/effective-access.js';
import { type Change, changeId, findChanges } from '../packet-changes.js';
import type { Finding } from '../report-schema.js';
import { settable } from './found-stack.js';

/** Finds what the cloud lets through, or sends elsewhere, other than the last deploy left it; each needs approval. */
export function findDrift(cloud: FoundCloud): Finding[] {
  const { name, gone, missed, answers } = cloud;
  const row = (what: string, more: Partial<Finding> = {}): Finding => ({
    ...{ kind: 'drift', decision: 'needs-approval', stack: name, resource: '', who: '', what },
    ...{ identity: [what], before: '', after: '', ...more },
  });
  return [
    ...packetDrift(cloud).map((change) => row(sentence(change, cloud), where(change))),
    ...factDrift(cloud),
    ...answers.map(({ address, clause }) =>
      row(`since the last deploy ${clause}; ${address} is not Terraform's`, { resource: address }),
    ),
    ...gone.map(({ address, clause }) => row(`${address}: ${clause}`, { consequence: FORGET })),
    ...missed.map((clause) =>
      row(`not read, so that it is not known whether it differs: ${clause}`),
    ),
  ];
}

const FORGET = 'Terraform makes it anew after `terraform state rm` of it';

type Drift = Change & { readonly isSure: boolean };

/**
 * Packets that pass now, or no longer. Where the one or the other depends on something that the cloud does
 * not tell, it only may be so.
 */
function packetDrift(cloud: FoundCloud): Drift[] {
  const [was, now] = [opened(cloud, asDeployed(cloud)), opened(cloud, cloud.terraform)];
  const find = (effect: Change['effect'], isSure: boolean, a: Packets[], b: Packets[]): Drift[] =>
    findChanges({ a: side(a), b: side(b) })
      .filter((change) => change.effect === effect)
      .map((change) => ({ ...change, isSure }));
  const lost = find('narrows', true, was.certain, now.possible);
  return [
    ...find('widens', true, was.possible, now.certain),
    ...find('widens', false, [...was.possible, ...now.certain], now.possible),
    ...lost,
    ...find('narrows', false, was.certain, [...now.certain, ...lost.map(packetsOf)]),
  ];
}

function packetsOf({ stack, via, direction, subject, at: { peer, range } }: Drift): Packets {
  const { services } = range;
  return { stack, via, direction, subject, peer: peerOf({ peer }, range), services };
}

const CAN = {
  widens: { sure: 'can', unsure: 'may be able to' },
  narrows: { sure: 'can no longer', unsure: 'may no longer' },
} as const;

function side(rules: Packets[]) {
  return { region: toRegion(rules), rules };
}

function opened({ name, access, deployed }: FoundCloud, terraform: TerraformStackJson) {
  const stack = { name, file: '', terraform, ...(access && { access }), unread: [] };
  const own = ownAddresses(deployed);
  const reached = readReached(stack);
  // A connection is accepted in a console after a deploy, whose state then has it as it was.
  const ways = reached.ways
    .filter(({ series }) => series.some((door) => isPlace(door, own)))
    .map((way) => ({ ...way, series: way.series.filter(({ list }) => list.kind !== 'gate') }));
  const parts = openParts({ ...reached, ways }).filter(({ peer }) => peer.kind !== 'unknown');
  const packets = parts.map(({ way, peer, range, resources, depends }) => ({
    ...{ stack: name, direction: way.direction, subject: way.subject, via: way.via, peer },
    ...{
      services: range.services,
      resource: resources.join('; '),
      isCertain: depends.length === 0,
    },
  }));
  return { possible: packets, certain: packets.filter(({ isCertain }) => isCertain) };
}

/** A border that only strangers' policies guard is none of the stack's places: before them everything passed it. */
function isPlace({ list: { kind, rules } }: Door, own: ReadonlySet<string>): boolean {
  return kind !== 'firewall' || rules.some(({ resource }) => own.has(resource));
}

const INTERFACE = 'volcenginecc_vpc_eni';

/** Adds to a state the interfaces of others that carry its groups: those are where its rules act. */
function asDeployed({ deployed, neighbours, terraform }: FoundCloud): TerraformStackJson {
  const resources = [...deployed.resources, ...neighbours];
  const own = ownAddresses({ resources });
  const carriers = terraform.resources.flatMap((one): TerraformResource[] => {
    if (one.type !== INTERFACE || own.has(one.address)) return [];
    const groups = list(one.body.security_group_ids).filter((id) => own.has(addressIn(id)));
    return groups.length === 0
      ? []
      : [{ ...one, body: { ...one.body, security_group_ids: groups } }];
  });
  return { ...deployed, resources: [...resources, ...carriers] };
}

function addressIn(reference: unknown): string {
  return /^\$\{(.*)\.\w+\}$/.exec(text(reference))?.[1] ?? '';
}

/** `since the last deploy 203.0.113.0/24 can reach orders, tcp 8080; the rule is not Terraform's`. */
function sentence(change: Drift, { deployed, neighbours }: FoundCloud): string {
  const { effect, direction, subject, peer, services, through, at } = change;
  const [who, whom] = direction === 'ingress' ? [peer, subject] : [subject, peer];
  const can = CAN[effect][change.isSure ? 'sure' : 'unsure'];
  const said = `since the last deploy ${who} ${can} reach ${whom}, ${services}`;
  // Who is known by name alone is let in by a list of names, and not by a rule.
  if (effect === 'narrows' || at.peer.kind !== 'addresses') return said;
  const own = ownAddresses({ resources: [...deployed.resources, ...neighbours] });
  const strangers = through.split('; ').filter((one) => one !== '' && !own.has(one));
  return strangers.length === 0
    ? `${said}; the rule is not Terraform's`
    : `${said}; ${strangers.join(', ')} ${strangers.length > 1 ? 'are' : 'is'} not Terraform's`;
}

function where(change: Change): Partial<Finding> {
  const { through: resource, was: before, now: after, addresses } = change;
  return { resource, identity: changeId(change), before, after, ...(addresses && { addresses }) };
}

/** Values of the stack's objects that decide where traffic goes or who is let in, beside packets. */
function factDrift({ name, deployed, terraform }: FoundCloud): Finding[] {
  const own = ownAddresses(deployed);
  const facts = ({ resources }: TerraformStackJson) => {
    const managed = resources.filter(({ address }) => own.has(address));
    const bodies = managed.map((one) => ({ ...one, body: settable(one) }));
    return readEffectiveAccess({ ...NO_TERRAFORM, resources: bodies }).facts;
  };
  return findFactChanges(name, facts(deployed), facts(terraform))
    .filter(({ decision }) => decision === 'needs-approval')
    .map((finding) => ({
      ...finding,
      kind: 'drift',
      what: `since the last deploy ${finding.what} is another`,
    }));
}

function ownAddresses({ resources }: Pick<TerraformStackJson, 'resources'>): ReadonlySet<string> {
  return new Set(resources.map(({ address }) => address));
}
