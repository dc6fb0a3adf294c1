import { listenerSubject } from '../../access/access-rule.js';
import { type Packets, peerName } from '../../reach/packet-rule.js';
import { openParts } from '../../reach/questions/table.js';
import type { FoundCloud } from '../../reach/read/cloud-state.js';
import { text } from '../../reach/read/json.js';
import {
  NO_TERRAFORM,
  type TerraformStackJson,
  withPlainReferences,
} from '../../reach/read/terraform-json.js';
import { type Fact, ResourceIndex } from '../../reach/rules/reading.js';
import { peerOf, toRegion } from '../../reach/sets/region.js';
import { servicesText } from '../../reach/sets/services.js';
import type { Door, Way } from '../../reach/ways/door.js';
import { type Reached, readReached } from '../../reach/ways/doors.js';
import { RECORD, recordName } from '../../reach/ways/resolve-name.js';
import { type ChangedFact, changedFacts, factFinding } from '../changes/stack-changes.js';
import { readEffectiveAccess } from '../effective-rules/effective-access.js';
import { without } from '../effective-rules/networks.js';
import { type Change, changeId, findChanges } from '../packet-changes.js';
import type { Finding } from '../report-schema.js';
import { settable } from './found-stack.js';

/** Finds what the cloud lets through, or sends elsewhere, other than the last deploy left it; each needs approval. */
export function findDrift(cloud: FoundCloud): Finding[] {
  const { name, gone, missed, answers, changes } = cloud;
  const was = readReached({ ...cloud, file: '', terraform: cloud.deployed, unread: [] });
  const row = (what: string, more: Partial<Finding> = {}): Finding => ({
    ...{ kind: 'drift', decision: 'needs-approval', stack: name, resource: '', who: '', what },
    ...{ identity: [what], before: '', after: '', ...more },
  });
  const since = (clause: string, resource: string) =>
    row(`since the last deploy ${clause}`, { resource });
  return [
    ...gone.map(({ address, clause }) => {
      const more = { resource: address, before: letIn(address, was), after: 'gone' };
      return row(`${address}: ${clause}`, { ...more, consequence: FORGET });
    }),
    ...changes.map(({ address: at, clause }) => since(`${ownerOf(at, cloud, was)}: ${clause}`, at)),
    ...factDrift(cloud, was),
    ...packetDrift(cloud).map((change) => row(sentence(change, cloud), where(change))),
    ...answers.map(({ address: at, clause }) => since(`${clause}; ${at} is not Terraform's`, at)),
    ...missed.map((one) => row(`not read, so that it is not known whether it differs: ${one}`)),
  ];
}

const FORGET = 'Terraform makes it anew after `terraform state rm` of it';

/** Says who was let in to a place; nothing of what is none. */
function letIn(address: string, was: Reached): string {
  const isIts = ({ direction, names }: Way) => direction === 'ingress' && names.includes(address);
  return openParts({ ...was, ways: was.ways.filter(isIts), named: [] })
    .map(({ peer, range }) => `${peerName(peer)}, ${servicesText(range.services)}`)
    .join('; ');
}

type Drift = Change & { readonly isSure: boolean };

/**
 * Packets that pass now, or no longer. Where the one or the other depends on something that the cloud does
 * not tell, it only may be so.
 */
function packetDrift(cloud: FoundCloud): Drift[] {
  const [was, now] = [opened(cloud, cloud.expected), opened(cloud, cloud.terraform)];
  const side = (rules: Packets[]) => ({ region: toRegion(rules), rules });
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

function opened(cloud: FoundCloud, terraform: TerraformStackJson) {
  const own = ownAddresses(cloud.deployed);
  const reached = readReached({ ...cloud, file: '', terraform, unread: [] });
  // A border that only strangers' policies guard is none of the stack's places: before them everything passed it.
  const isPlace = ({ list: { kind, rules } }: Door) =>
    kind !== 'firewall' || rules.some(({ resource }) => own.has(resource));
  // A connection is accepted in a console after a deploy, whose state then has it as it was.
  const ways = reached.ways
    .filter(({ series }) => series.some(isPlace))
    .map((way) => ({ ...way, series: way.series.filter(({ list }) => list.kind !== 'gate') }));
  const parts = openParts({ ...reached, ways }).filter(({ peer }) => peer.kind !== 'unknown');
  const packets = parts.map(({ way, peer, range, resources, depends }) => ({
    ...{ stack: cloud.name, direction: way.direction, subject: way.subject, via: way.via, peer },
    ...{ services: range.services, isCertain: depends.length === 0 },
    resource: [...new Set(resources)].join('; '),
  }));
  return { possible: packets, certain: packets.filter(({ isCertain }) => isCertain) };
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

function ownAddresses({ resources }: Pick<TerraformStackJson, 'resources'>): ReadonlySet<string> {
  return new Set(resources.map(({ address }) => address));
}

/** Finds values of a stack's objects that decide where traffic goes or who is let in, beside packets. */
function factDrift(cloud: FoundCloud, was: Reached): Finding[] {
  const { name, deployed, terraform, gone } = cloud;
  const own = new Set(deployed.resources.map(({ address }) => address));
  for (const { address } of gone) own.delete(address);
  const factsOf = (stack: TerraformStackJson) => {
    const kept = stack.resources.filter(({ address }) => own.has(address));
    const resources = kept.map((one) => ({ ...one, body: settable(one) }));
    const index = new ResourceIndex(stack.resources);
    const { facts } = readEffectiveAccess({ ...NO_TERRAFORM, resources });
    return facts.map((fact) => underItsName(fact, index));
  };
  return changedFacts(factsOf(deployed), factsOf(terraform))
    .filter(({ decision }) => decision === 'needs-approval')
    .map((one) => ({
      ...factFinding(name, one),
      kind: 'drift',
      what: `since the last deploy ${ownerOf(one.fact.resource, cloud, was)}: ${changeText(one)}`,
    }));
}

/** The records of a name are one fact, whichever of them come and go. */
function underItsName(fact: Fact, index: ResourceIndex): Fact {
  const record = index.at(fact.resource);
  if (record?.type !== RECORD) return fact;
  return { ...fact, resource: recordName(record, index), what: 'records' };
}

/** Says what was added, removed or is another: `server 10.40.1.99:8080 was added`. */
function changeText({ fact: { what }, before, after }: ChangedFact): string {
  const noun = what.replace(/s$/, '').replaceAll('_', ' ').replace(/^vpc$/, 'VPC');
  const added = without(after, before).map(valueText);
  const removed = without(before, after).map(valueText);
  const isOther = added.length === 1 && removed.length === 1;
  if (isOther) return `${noun} is ${added.join()}, was ${removed.join()}`;
  return [
    ...added.map((one) => `${noun} ${one} was added`),
    ...removed.map((one) => `${noun} ${one} was removed`),
  ].join('; ');
}

/** The part of a value that people know it by: of a network its identifier, of a record type and value. */
const KNOWN = /"vpc_id":"([^"]*)"|^ip (.*)|^(\w+ \S+) true \d/;

function valueText(value: string): string {
  const known = KNOWN.exec(value)?.slice(1).find(Boolean) ?? value;
  return withPlainReferences(known.replace(/ false \d.*/, ' (disabled)'));
}

/** Names a thing as its users do: by the subject of its rules, or of the listener before it; a zone by its domain. */
function ownerOf(resource: string, { access, deployed }: FoundCloud, was: Reached): string {
  const door = was.doors.find(({ backend }) => backend?.group === resource);
  const { subject } = door ?? was.ways.find(({ names }) => names.includes(resource)) ?? {};
  const behind = access?.rules.find((rule) => listenerSubject(rule.subject) === subject);
  const zone = deployed.resources.find(({ address }) => address === resource)?.body.zone_name;
  return behind?.subject ?? subject ?? (text(zone) || resource);
}
