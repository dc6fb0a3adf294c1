import { toRegion } from '../../reach/sets/region.js';
import { servicesText, subtract } from '../../reach/sets/services.js';
import { findFactChanges } from '../../review/changes/stack-changes.js';
import { readEffectiveAccess } from '../../review/effective-rules/effective-access.js';
import { findChanges } from '../../review/packet-changes.js';
import { isElsewhere, reviewedTree } from '../../review/stacks/reviewed-trees.js';
import { readStatedPorts } from '../../review/stacks/stated-ports.js';
import type { RehearsedStack, RehearsedTree } from '../read-trees.js';
import type { RehearsalFinding } from '../report-schema.js';
import type { Account, Passage } from '../timeline/account.js';
import type { Lane } from '../timeline/lanes.js';
import { joinPeers } from '../timeline/wording.js';
import { AWAY, avoidCut, BESIDE } from './remedies.js';

/**
 * Returns what people must change by hand: base URLs, what JWTs and certificates are for, ids of endpoint services,
 * ports.
 */
export function clientChanges({ lanesSeen, passage }: Account): RehearsalFinding[] {
  return [
    ...lanesSeen.flatMap((lane) => [...linkChanges(lane, passage), ...nameChanges(lane, passage)]),
    ...serviceChanges(passage),
    ...lanesSeen.flatMap(portChanges),
  ];
}

/** Something that clients, or people in the service's console, must change. */
export function clientChange(stack: string, what: string, text: string, remedy: string) {
  return { kind: 'client-change' as const, stack, what, text, remedy };
}

function linkChanges(lane: Lane, { links: { after } }: Passage): RehearsalFinding[] {
  const { kind, stack, name, baseUrl, newBaseUrl } = lane;
  // A stack that is not in the head stays as it is.
  if (kind !== 'link' || !after.has(stack)) return [];
  if (!after.get(stack)?.links.some((link) => link.name === name)) {
    const text = `${name} is removed: clients must stop using ${baseUrl}`;
    return [clientChange(stack, name, text, AWAY.link)];
  }
  if (newBaseUrl === undefined) return [];
  const text = `${name} has a new base URL: clients must call ${newBaseUrl} instead of ${baseUrl}`;
  if (lane.via === 'fixed-ip-egress')
    return [clientChange(stack, name, text, 'let clients call it from the deploy on')];
  const remedy =
    hostOf(newBaseUrl) === hostOf(baseUrl)
      ? BESIDE.link
      : `let clients call the API host of a private zone (\`privateZone: true\`), which stays the same, or change it ${BESIDE.link}`;
  return [clientChange(stack, name, text, remedy)];
}

/** An endpoint service that is made anew has another id, which people have given to the service. */
function serviceChanges({ links }: Passage): RehearsalFinding[] {
  return [...links.before].flatMap(([stack, { plugins = [] }]) =>
    plugins.flatMap(({ name, serviceId }) => {
      if (!links.after.has(stack)) return [];
      const now = links.after.get(stack)?.plugins?.find((plugin) => plugin.name === name);
      if (now?.serviceId === serviceId) return [];
      const [text, remedy] =
        now === undefined
          ? [
              `${name} is removed, with its endpoint service ${serviceId}`,
              "delete the private connection in the service's console first",
            ]
          : [
              `${name} has a new endpoint service: the service's console needs ${now.serviceId} instead of ${serviceId}`,
              "add a private connection to the new id in the service's console, and accept it, after the deploy",
            ];
      return [clientChange(stack, name, text, remedy)];
    }),
  );
}

/** A plugin that names the port, or takes it from a scheme, does not find the new listener by itself. */
function portChanges({ stack, name, port, newPort }: Lane): RehearsalFinding[] {
  if (port === undefined || newPort === undefined) return [];
  const text = `${name} listens on port ${newPort} instead of ${port}: the plugin must be called there`;
  return [clientChange(stack, name, text, BESIDE.plugin)];
}

/** The names that clients must use wherever a link leads, and what for. */
const NAMES = {
  apiHost: ['API host', 'JWTs must be made for'],
  tlsServerName: ['server name', 'certificates must be checked for'],
} as const;

function nameChanges({ stack, name }: Lane, { links }: Passage): RehearsalFinding[] {
  const [was, now] = [links.before, links.after].map((all) =>
    all.get(stack)?.links.find((link) => link.name === name),
  );
  return (['apiHost', 'tlsServerName'] as const).flatMap((field) => {
    if (was?.[field] === undefined && now?.[field] === undefined) return [];
    const [old, other] = [was, now].map((link) => link && (link[field] ?? hostOf(link.baseUrl)));
    if (old === undefined || other === undefined || old === other) return [];
    const [what, must] = NAMES[field];
    const text = `${name} has a new ${what}: ${must} ${other} instead of ${old}`;
    return [clientChange(stack, name, text, 'let clients use it from the deploy on')];
  });
}

function hostOf(baseUrl = ''): string {
  return new URL(baseUrl).hostname;
}

/**
 * Returns what no resource shows, stack by stack: ports that access rules alone state, what something else than
 * Terraform no longer lets through, and outputs that people copy.
 */
export function statedChanges(base: RehearsedTree, head: RehearsedTree): RehearsalFinding[] {
  return head.flatMap((stack) => {
    const before = base.find(({ name }) => name === stack.name);
    if (before === undefined) return [];
    return [statedPortChanges, statedLosses, outputChanges].flatMap((find) => find(before, stack));
  });
}

function statedPortChanges(before: RehearsedStack, after: RehearsedStack): RehearsalFinding[] {
  const now = readStatedPorts(after);
  return [...readStatedPorts(before)].flatMap(([key, { subject, services, isCalled }]) => {
    const other = now.get(key)?.services ?? services;
    if (!isCalled || subtract(services, other).length === 0) return [];
    const text = `${subject} is called on ${servicesText(other)} instead of ${servicesText(services)}: the plugin must be called there`;
    return [clientChange(after.name, subject, text, LISTEN_ON_BOTH)];
  });
}

const LISTEN_ON_BOTH =
  'let the old port answer until the plugin is called on the new one: nothing that the trees make does';

const KEEP = avoidCut(
  { step: undefined, steps: [], head: [] },
  { kind: 'link', isForGood: true, after: 'same' },
);

/** The losses of rules that something else enforces: what is given up is as much a loss as the rule of a group. */
function statedLosses(before: RehearsedStack, after: RehearsedStack): RehearsalFinding[] {
  const openIn = (stack: RehearsedStack) => reviewedTree(new Map([[stack.name, stack]])).open;
  const sideOf = (rules: ReturnType<typeof openIn>) => ({ rules, region: toRegion(rules) });
  const was = openIn(before).filter(isElsewhere);
  // What lets it through instead carries it under the same name.
  const now = openIn(after).map(({ carrier: _, ...rule }) => rule);
  const lost = findChanges({ a: sideOf(was), b: sideOf(now) }).filter(
    ({ effect }) => effect === 'narrows',
  );
  return joinPeers(lost).map(({ change: { subject, via, peer, services } }) => {
    const by = was.find((rule) => rule.subject === subject && rule.via === via)?.enforcedElsewhere;
    const text = `${subject} gives up ${peer}, ${services}, as soon as ${by} does what the rules say`;
    return clientChange(after.name, subject, text, KEEP);
  });
}

/** Outputs that people enter elsewhere: options of the user ID header, and records of a zone that others manage. */
const COPIED = /^output\..*-(?:options|records)$/;

function outputChanges(before: RehearsedStack, after: RehearsedStack): RehearsalFinding[] {
  const [was = [], now = []] = [before, after].map(({ terraform }) =>
    readEffectiveAccess(terraform).facts.filter(({ resource }) => COPIED.test(resource)),
  );
  const changes = findFactChanges(after.name, was, now);
  // What is new nobody has copied yet.
  return changes.flatMap(({ stack, resource, before: old, after: current }) => {
    if (old === 'none') return [];
    const text = `${resource} changes from ${old} to ${current}: whoever has copied it must follow`;
    return [clientChange(stack, resource, text, 'let them follow right after the deploy')];
  });
}
