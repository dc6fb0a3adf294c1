import { groupBy } from '../../lists/group-by.js';
import { object, text } from '../../reach/read/json.js';
import type { TerraformStackJson } from '../../reach/read/terraform-json.js';
import { statePlace, stateSettings } from '../../terraform/state-place.js';
import { without } from '../effective-rules/networks.js';
import type { Finding } from '../report-schema.js';
import type { ReviewedStack, ReviewedTree, StackPair } from '../stacks/reviewed-trees.js';

/** Begins the identity of a row about something that a stack claims for itself. */
export const CLAIM = 'claim';

/** Returns the programs that a deploy runs and that nothing in the base has run: a row for each. */
export function findNewPrograms(pairs: readonly StackPair[]): Finding[] {
  const known = new Set(pairs.flatMap(({ before }) => programsOf(before).map(({ path }) => path)));
  const found = pairs.flatMap(({ name, before, after }) => {
    // Another program in the place of one that was there is told as its change.
    const had = new Set(programsOf(before).map(({ resource }) => resource));
    return programsOf(after)
      .filter(({ resource, path }) => !known.has(path) && !had.has(resource))
      .map((one) => ({ ...one, stack: name }));
  });
  return [...groupBy(found, ({ path }) => path)].map(([path, [{ stack, resource }]]) =>
    claim(stack, resource, {
      what: 'program of the deploy',
      identity: [CLAIM, path],
      after: path,
      consequence: 'the deploy runs a program that the base has nowhere',
    }),
  );
}

function programsOf(stack: ReviewedStack | undefined) {
  return (stack?.effective.facts ?? [])
    .filter(({ id }) => id[0] === 'program')
    .flatMap(({ resource, values }) => values.map((path) => ({ resource, path })));
}

/** Returns the stacks whose state is newly that of another: a deploy of one would destroy what the other made. */
export function findTakenStates(pairs: readonly StackPair[]): Finding[] {
  const owners = pairs.flatMap(({ name, was, now }) =>
    [...new Set([stateOf(name, was), stateOf(name, now)])].flatMap((state) =>
      state === undefined ? [] : [{ name, state }],
    ),
  );
  const byState = groupBy(owners, ({ state }) => state);
  return pairs.flatMap(({ name, was, now }) => {
    const state = stateOf(name, now);
    if (state === undefined || state === stateOf(name, was)) return [];
    const other = byState.get(state)?.find((owner) => owner.name !== name);
    if (other === undefined) return [];
    return [
      claim(name, 'terraform', {
        what: 'state',
        identity: [CLAIM, state],
        after: `the state of ${other.name}`,
        consequence: `a deploy destroys what ${other.name} has made and ${name} does not name`,
      }),
    ];
  });
}

/** Returns what changed of a stack in the manifests: whether a deploy takes it, and after which others. */
export function findManifestChanges({ name, before, after }: StackPair): Finding[] {
  if (after === undefined) return [];
  const row = (facts: ClaimFacts) => claim(name, 'manifest.json', facts);
  if (before?.isUnnamed !== after.isUnnamed && (after.isUnnamed || before?.isUnnamed)) {
    const [was, now] = [before, after].map((one) => (one?.isUnnamed ? 'not named' : 'deployed'));
    const consequence = after.isUnnamed
      ? `no deploy of the tree takes stacks/${name}: what this review reads there is not deployed`
      : 'no deploy of the base took it: what it opens was not deployed before';
    const identity = [CLAIM, after.isUnnamed ? 'unnamed' : 'named'];
    const values = { before: before && was, after: now ?? '' };
    return [row({ what: 'the stack', identity, ...values, consequence })];
  }
  const [was, now] = [before?.dependencies, after.dependencies];
  if (was === undefined || now === undefined) return [];
  const changed = (other: string, is: string) => ({
    ...{ what: `dependency on ${other}`, identity: ['dependency', other, is] },
  });
  return [
    ...without(was, now).map((other) => {
      const consequence = `a deploy can change it before ${other}, and although ${other} failed`;
      return row({ ...changed(other, 'dropped'), before: 'stated', after: 'none', consequence });
    }),
    ...without(now, was).map(
      (other): Finding => ({
        ...row({ ...changed(other, 'added'), after: 'stated' }),
        decision: 'no-change',
      }),
    ),
  ];
}

/** Says which of the trees has no manifest, where stacks could depend on each other. */
export function missingManifests(base: ReviewedTree, head: ReviewedTree): string[] {
  const lacks = ({ stacks }: ReviewedTree) =>
    stacks.length > 0 && stacks.every((one) => !one.isUnnamed && one.dependencies === undefined);
  if (head.stacks.length < 2) return [];
  const order = 'which stack a deploy changes after which other one was not compared';
  return [
    ...(lacks(base) ? [`The base has no manifest.json: ${order}.`] : []),
    ...(lacks(head) ? [`The head has no manifest.json: ${order}, and no deploy takes it.`] : []),
  ];
}

type ClaimFacts = Pick<Finding, 'what' | 'identity' | 'after' | 'consequence'> & {
  readonly before?: string | undefined;
};

function claim(stack: string, resource: string, facts: ClaimFacts): Finding {
  const row = { kind: 'control', decision: 'needs-approval', stack, resource, who: '' } as const;
  return { ...row, ...facts, before: facts.before ?? 'none' };
}

/** Settings of backends that say which state it is; others say how it is reached. */
const PLACES = [
  ...['path', 'workspace_dir', 'bucket', 'key', 'prefix', 'schema_name', 'secret_suffix'],
  ...['namespace', 'address', 'conn_str', 'container_name', 'storage_account_name', 'workspaces'],
];

/** The place of a stack's state, however it is reached; undefined where none is named. */
function stateOf(name: string, { blocks }: TerraformStackJson): string | undefined {
  const [entry] = Object.entries(object(object(blocks.get('terraform')?.body).backend));
  if (entry === undefined) return undefined;
  const [type, config] = entry;
  if (type === 'local') return statePlace(type, config, `${DEEP}/${name}`);
  const settings = stateSettings(type, config);
  const named = PLACES.map((place) => text(settings[place])).filter((value) => value !== '');
  return named.length === 0 ? undefined : JSON.stringify([type, ...named]);
}

/** Stands for the folder of all stacks: deep enough that no path leads above the root. */
const DEEP = '/-'.repeat(100);
