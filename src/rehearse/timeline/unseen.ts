import { privatelinkVpcEndpoint } from '../../cloud/table/privatelink.js';
import { vpcSecurityGroup } from '../../cloud/table/vpc.js';
import { groupBy } from '../../lists/group-by.js';
import { toName } from '../../reach/read/cloud-state.js';
import { list, object, text } from '../../reach/read/json.js';
import type { TerraformResource } from '../../reach/read/terraform-json.js';
import { readServices } from '../../reach/rules/group-rules.js';
import type { Reached } from '../../reach/ways/doors.js';
import { addressOrId } from '../../reach/ways/resolve-name.js';
import type { RehearsalFinding } from '../report-schema.js';
import { withAddresses } from '../ways/ways.js';
import type { Account, Passage, UnseenUse } from './account.js';
import { type Cut, findSpans, spanOf, stepsText } from './cuts.js';
import type { Lane } from './lanes.js';

type Use = Omit<UnseenUse, 'comes' | 'isPartial' | 'from' | 'until'>;

/** Finds what comes to an endpoint or group, or goes from it, though no tree says what is in it. */
export function findUnseen(
  { addresses, standIns = [] }: Pick<Passage, 'addresses' | 'standIns'>,
  reached: readonly Reached[],
): UnseenUse[] {
  if (standIns.length === 0) return [];
  const addressOf = (address: string) => withAddresses(address, addresses);
  const states = reached.map((one) => readUses(one, addressOf, new Set(standIns)));
  const [first] = states;
  const changes = states.map((now) => [
    ...onlyIn(first, now).map((use) => ({ ...use, comes: false, isPartial: isOfBoth(use, now) })),
    ...onlyIn(now, first).map((use) => ({ ...use, comes: true, isPartial: isOfBoth(use, first) })),
  ]);
  return findSpans(changes, useKey).map(({ thing, from, until }) => ({ ...thing, from, until }));
}

/** Says of each of them that whom it lets in is not shown. */
export function unseenFindings({ steps, unseen }: Account): RehearsalFinding[] {
  const alike = groupBy(
    unseen,
    ({ user, used, from, until }) => `${user} ${used} ${from} ${until}`,
  );
  return [...alike.values()].map((uses): RehearsalFinding => {
    const [{ user, used, noun, from, until }] = uses;
    const isOther = uses.some(({ isPartial }) => isPartial);
    const comes = uses[0].comes ? 'has' : 'no longer has';
    const change = isOther ? `has other rules for the ${noun}` : `${comes} the ${noun}`;
    return {
      kind: 'not-shown',
      ...spanOf(steps, from, until),
      what: user,
      text: `${user} ${change} ${used} ${stepsText(from, until)}: whom that lets in or keeps out is not shown, for no tree says what is in it`,
      remedy: `describe ${used} with \`--with FILE\`, or look up whom it lets in before the deploy`,
    };
  });
}

interface Uses {
  readonly uses: readonly Use[];
  readonly users: ReadonlySet<string>;
}

function readUses(
  { index }: Reached,
  addressOf: (address: string) => string,
  standIns: ReadonlySet<string>,
): Uses {
  const endpoints = index.ofType(privatelinkVpcEndpoint.type).map(({ address, body }) => ({
    ...{ address, groups: list(body.security_group_ids).map(addressOrId) },
  }));
  const groups = index.ofType(vpcSecurityGroup.type);
  const carried = endpoints.flatMap(({ address, groups: own }) =>
    own.map((used): Use => {
      const user = addressOf(address);
      return { user, used, noun: 'group', rule: '', ids: [address] };
    }),
  );
  const all: Use[] = [
    ...carried,
    ...groups.flatMap((group) => {
      const carriers = endpoints.filter((one) => one.groups.includes(group.address));
      const ids = [group, ...carriers].map(({ address }) => address);
      return peersOf(group).map((peer) => ({ user: addressOf(group.address), ids, ...peer }));
    }),
  ];
  const users = new Set([...endpoints, ...groups].map(({ address }) => addressOf(address)));
  return { uses: all.filter(({ used }) => standIns.has(used)), users };
}

/** The groups and prefix lists that the rules of a group are for; the cloud may keep an address beside them. */
function peersOf({ body }: TerraformResource): Pick<Use, 'used' | 'noun' | 'rule'>[] {
  return ['ingress', 'egress'].flatMap((direction) =>
    list(body[`${direction}_permissions`])
      .map(object)
      .flatMap((one) => {
        const { policy, priority, prefix_list_id: listId, source_group_id: group } = one;
        const rule = JSON.stringify([direction, policy, text(priority), readServices(one)]);
        return [
          { rule, used: text(listId), noun: 'prefix list' as const },
          { rule, used: text(group), noun: 'group' as const },
        ];
      }),
  );
}

/** The uses of one state alone, by what both have. */
function onlyIn(one: Uses | undefined, other: Uses | undefined): readonly Use[] {
  const known = new Set(other?.uses.map(useKey));
  return (one?.uses ?? []).filter((use) => !known.has(useKey(use)) && other?.users.has(use.user));
}

function isOfBoth({ user, used }: Use, other: Uses | undefined): boolean {
  return other?.uses.some((one) => one.user === user && one.used === used) === true;
}

function useKey({ user, used, rule }: Use): string {
  return JSON.stringify([user, used, rule]);
}

/** Finds what came by a step, or before it, and decides from then on at what the step changes. */
function usesAt({ unseen, passage }: Doubted, step: number): UnseenUse[] {
  const name = toName(passage.steps[step - 1]?.identifier ?? '');
  const isThere = ({ comes, from, until = Number.POSITIVE_INFINITY }: UnseenUse) =>
    comes && from <= step && step < until;
  return unseen.filter((use) => isThere(use) && use.ids.some((id) => id.endsWith(`.${name}`)));
}

/** The facts that say what is in doubt. */
type Doubted = Pick<Account, 'unseen' | 'passage'>;

/** Tells whether a step changes an object by which something unknown decides from then on. */
export function isStepInDoubt(doubted: Doubted, step: number): boolean {
  return usesAt(doubted, step).length > 0;
}

/** Tells whether a cut comes of such a step, and is none where its clients are in what is unknown. */
export function isCutInDoubt(
  doubted: Doubted,
  { unclear }: Pick<Lane, 'unclear'>,
  { from }: Pick<Cut, 'from'>,
): boolean {
  return unclear[from] === true && isStepInDoubt(doubted, from);
}
