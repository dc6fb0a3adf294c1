import { writeFileSync } from 'node:fs';
import { groupBy } from '../../lists/group-by.js';
import type { RehearsedTree } from '../read-trees.js';
import type { DeployResult, RehearsalReport, ReplanResult } from '../report-schema.js';
import type { StackStep } from '../timeline/recorder.js';
import { placeStack, stateFile } from './stack-runner.js';
import type { Stage, TreeOutputs } from './stage.js';
import { type DeployedState, readState } from './terraform-state.js';

/** The result of deploying a whole tree. */
export interface Deployed extends TreeOutputs {
  readonly result: DeployResult;
  readonly steps: readonly StackStep[];
  /** Terraform's graph of the plan of each stack. */
  readonly graphs: ReadonlyMap<string, string>;
  /** Terraform's addresses by the identifiers of resources. */
  readonly addresses: ReadonlyMap<string, string>;
}

/** The states in production, by stack. */
export type DeployedStates = ReadonlyMap<string, DeployedState>;

/** Deploys the stacks of a tree, one after the other, up to the first that fails. @param what as people call it */
export async function deployTree(
  stage: Stage,
  tree: RehearsedTree,
  what = 'deploy',
): Promise<Deployed> {
  const before = readStates(stage, tree);
  stage.recorder.take();
  const steps: StackStep[] = [];
  const graphs = new Map<string, string>();
  let result: DeployResult = { status: 'passed', errors: [] };
  for (const [i, stack] of tree.entries()) {
    stage.tell(`${what}: ${stack.name}, stack ${i + 1} of ${tree.length}`);
    placeStack(stage.folder, stack, tree);
    const run = await stage.runner.apply(stack);
    graphs.set(stack.name, run.graph);
    steps.push(...stage.recorder.take().map((step) => ({ ...step, stack: stack.name })));
    if (run.status === 0) continue;
    const errors = run.errors.map((error) => `${stack.name}: ${error}`);
    result = { status: run.hasBegun || steps.length > 0 ? 'failed' : 'refused', errors };
    break;
  }
  const now = readStates(stage, tree);
  const addresses = new Map([...before.addresses, ...now.addresses]);
  return { ...now, result, steps, graphs, addresses };
}

/** Takes stacks for deployed as their states say, and deploys the others of the tree. */
export async function deployFrom(
  stage: Stage,
  tree: RehearsedTree,
  states: DeployedStates,
): Promise<Deployed> {
  const { cloud } = stage.sandbox;
  const resources = structuredClone(cloud.state.resources);
  for (const [name, deployed] of states) {
    for (const [type, named] of Object.entries(deployed.resources)) {
      resources[type] = { ...resources[type], ...named };
    }
    writeFileSync(stateFile(stage.folder, name), JSON.stringify(deployed.state));
  }
  // Far from the identifiers that are there.
  if (states.size > 0) cloud.state.serial += 1_000_000;
  cloud.restore(resources);
  const others = tree.filter(({ name }) => !states.has(name));
  return { ...(await deployTree(stage, others, 'base')), ...readStates(stage, tree) };
}

/** Plans every stack again; checks that are made anew at each deploy are no change. */
export async function replanTree({ runner }: Stage, tree: RehearsedTree): Promise<ReplanResult> {
  const runs = await Promise.all(
    tree.map(async (stack) => ({
      stack,
      run: await runner.run(stack, ['plan', '-detailed-exitcode']),
    })),
  );
  const changes = runs.flatMap(({ stack, run }) => [
    ...run.errors,
    ...run.planned
      .filter(({ address }) => !address.startsWith('null_resource.'))
      .map(({ address, action }) => `${action} ${address} (${stack.name})`),
  ]);
  return { status: changes.length === 0 ? 'passed' : 'failed', changes };
}

/**
 * Destroys the stacks of both trees, without the protection that is in the way of it.
 *
 * @param trees first the one that counts where both have a stack
 */
export async function destroyTrees(
  stage: Stage,
  [first, second]: readonly [RehearsedTree, RehearsedTree],
): Promise<RehearsalReport['destroy']> {
  const others = second.filter(({ name }) => !first.some((stack) => stack.name === name));
  const all = [...first, ...others];
  const errors: string[] = [];
  for (const [i, stack] of all.toReversed().entries()) {
    stage.tell(`destroy: ${stack.name}, stack ${i + 1} of ${all.length}`);
    placeStack(stage.folder, stack, all, { mayBeDestroyed: true });
    const run = await stage.runner.run(stack, ['destroy', '-auto-approve']);
    errors.push(...run.errors);
  }
  const left = stage.sandbox
    .resources()
    .filter(({ identifier }) => !stage.given.has(identifier))
    // A connection that was cut stays in the service's console until it is deleted there.
    .filter(({ properties }) => properties.ConnectionStatus !== 'Rejected')
    .map(({ typeName, identifier }) => `${typeName.replace('Volcengine::', '')} ${identifier}`);
  return { deploy: { status: errors.length === 0 ? 'passed' : 'failed', errors }, left };
}

function readStates(
  { folder }: Stage,
  tree: RehearsedTree,
): Omit<Deployed, 'result' | 'steps' | 'graphs'> {
  const states = tree.map(({ name }) => [name, readState(stateFile(folder, name), name)] as const);
  const groups = groupBy(
    states.flatMap(([, one]) => one.groups),
    ({ direction }) => direction,
  );
  return {
    groups: Object.fromEntries(
      [...groups].map(([direction, all]) => [direction, all.map(({ id }) => id)]),
    ),
    links: new Map(
      states.flatMap(([name, { links }]) => (links === undefined ? [] : [[name, links] as const])),
    ),
    backends: new Map(states.flatMap(([, { backends }]) => [...backends])),
    addresses: new Map(states.flatMap(([, { addresses }]) => [...addresses])),
  };
}
