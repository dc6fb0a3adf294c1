import type { Finding } from '../report-schema.js';
import type { ReviewedTree, StackPair } from '../stacks/reviewed-trees.js';
import { CLAIM } from './claims.js';

/** Returns what changed of a stack in the manifests: whether a deploy takes it, and after which others. */
export function findManifestChanges({ name, before, after }: StackPair): Finding[] {
  if (after === undefined) return [];
  const row = {
    ...({ kind: 'control', decision: 'needs-approval', stack: name } as const),
    ...{ resource: 'manifest.json', who: '' },
  };
  if (after.isUnnamed && !before?.isUnnamed) {
    return [
      {
        ...{ ...row, what: 'the stack', identity: [CLAIM, 'unnamed'] },
        ...{ before: before ? 'deployed' : 'none', after: 'not named' },
        consequence: `no deploy of the tree takes stacks/${name}: what this review reads there is not deployed`,
      },
    ];
  }
  if (before?.isUnnamed && !after.isUnnamed) {
    return [
      {
        ...{ ...row, what: 'the stack', identity: [CLAIM, 'named'] },
        ...{ before: 'not named', after: 'deployed' },
        consequence: 'no deploy of the base took it: what it opens was not deployed before',
      },
    ];
  }
  const [was, now] = [before?.dependencies, after.dependencies];
  if (was === undefined || now === undefined) return [];
  const changed = (other: string) => ({ ...row, what: `dependency on ${other}` });
  return [
    ...without(was, now).map((other) => ({
      ...{ ...changed(other), identity: ['dependency', other, 'dropped'] },
      ...{ before: 'stated', after: 'none' },
      consequence: `a deploy can change it before ${other}, and although ${other} failed`,
    })),
    ...without(now, was).map((other) => ({
      ...{ ...changed(other), decision: 'no-change' as const },
      ...{ identity: ['dependency', other, 'added'], before: 'none', after: 'stated' },
    })),
  ];
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => !others.includes(name)).sort();
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
