import { clbListener } from '../../cloud/table/clb.js';
import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { type CloudState, listResources } from '../../sandbox/cloud/cloud-state.js';
import { readText, readTexts } from '../../sandbox/json.js';
import { referredLists } from '../../sandbox/network/groups.js';
import type { RehearsalFinding } from '../report-schema.js';
import type { Account } from '../timeline/account.js';
import { findSpans } from '../timeline/cuts.js';
import { stepsText } from '../timeline/wording.js';

/** An endpoint with a group, or a group with a prefix list, that the trees name and do not make. */
interface Use {
  readonly user: string;
  readonly used: string;
  readonly noun: 'group' | 'prefix list';
}

/**
 * Finds what comes to an endpoint or group, or goes from it, though no tree says what is in it: whom that lets
 * in is not shown.
 */
export function unseenFindings({ passage }: Account): RehearsalFinding[] {
  const { before, steps, standIns = [] } = passage;
  if (standIns.length === 0) return [];
  const states = [before, ...steps.map(({ cloud }) => cloud)].map((cloud) =>
    readUses(cloud, passage),
  );
  const [first] = states;
  const changes = states.map((now) => [
    ...onlyIn(first, now).map((use) => ({ ...use, comes: false })),
    ...onlyIn(now, first).map((use) => ({ ...use, comes: true })),
  ]);
  return findSpans(changes, useKey).map(({ thing, from, until }) => {
    const { user, used, noun, comes } = thing;
    const change = `${user} ${comes ? 'has' : 'no longer has'} the ${noun} ${used}`;
    return {
      kind: 'not-shown',
      stack: steps[from - 1]?.stack ?? '',
      what: user,
      text: `${change} ${stepsText(from, until)}: whom that lets in or keeps out is not shown, for no tree says what is in it`,
      from,
      ...(until !== undefined && { until }),
      remedy: `describe ${used} with \`--with FILE\`, or look up whom it lets in before the deploy`,
    };
  });
}

/** The properties of a listener by which it and its callers trust each other. */
const TRUST = [
  'CACertificateId',
  'CAEnabled',
  'CertificateId',
  'CertCenterCertificateId',
  'DomainExtensions',
  'SecurityPolicyId',
];

/**
 * Finds listeners that present or ask for other certificates than at first: whether callers accept that, packets
 * do not show.
 */
export function trustFindings({ passage }: Account): RehearsalFinding[] {
  const { before, steps, addresses } = passage;
  const first = readTrust(before);
  const changed = [before, ...steps.map(({ cloud }) => cloud)].map((cloud) =>
    [...readTrust(cloud)].filter(([id, trust]) => (first.get(id) ?? trust) !== trust),
  );
  return findSpans(changed, ([id]) => id).map(({ thing: [id], from, until }) => {
    const what = addresses.get(id) ?? id;
    return {
      kind: 'not-shown',
      stack: steps[from - 1]?.stack ?? '',
      what,
      text: `${what} has other certificates or another TLS policy ${stepsText(from, until)}: whether the service and the plugin still accept each other is not shown`,
      from,
      ...(until !== undefined && { until }),
      remedy: 'call the plugin over a second listener with these certificates before the deploy',
    };
  });
}

function readTrust(cloud: CloudState): ReadonlyMap<string, string> {
  return new Map(
    listResources(cloud, clbListener).map((one) => [
      readText(one, 'ListenerId'),
      JSON.stringify(TRUST.map((name) => one[name])),
    ]),
  );
}

interface Uses {
  readonly uses: readonly Use[];
  readonly users: ReadonlySet<string>;
}

function readUses(cloud: CloudState, { addresses, standIns = [] }: Account['passage']): Uses {
  const addressOf = (id: string) => addresses.get(id) ?? id;
  const endpoints = listResources(cloud, privatelinkVpcEndpoint).map((one) => ({
    user: addressOf(readText(one, 'EndpointId')),
    noun: 'group' as const,
    all: readTexts(one, 'SecurityGroupIds'),
  }));
  const groups = listResources(cloud, vpcSecurityGroup).map((one) => ({
    user: addressOf(readText(one, 'SecurityGroupId')),
    noun: 'prefix list' as const,
    all: referredLists(one),
  }));
  const all = [...endpoints, ...groups];
  const uses = all.flatMap(({ user, noun, all: ids }) =>
    [...new Set(ids)].filter((id) => standIns.includes(id)).map((used) => ({ user, used, noun })),
  );
  return { uses, users: new Set(all.map(({ user }) => user)) };
}

/** The uses of one state alone, by what both have. */
function onlyIn(one: Uses | undefined, other: Uses | undefined): readonly Use[] {
  const known = new Set(other?.uses.map(useKey));
  return (one?.uses ?? []).filter((use) => !known.has(useKey(use)) && other?.users.has(use.user));
}

function useKey({ user, used }: Use): string {
  return `${user} ${used}`;
}
