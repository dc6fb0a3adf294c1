import type { CloudState } from '../../sandbox/cloud/cloud-state.js';
import type { JsonObject } from '../../sandbox/json.js';

/** The new content of a resource; undefined where it is gone. */
export interface Edit {
  readonly type: string;
  readonly id: string;
  readonly content: JsonObject | undefined;
}

/** The contents of each resource by identifier, before any step and after each. */
export type Contents = ReadonlyMap<string, readonly Pick<Edit, 'type' | 'content'>[]>;

/** Finds what each step changes: its own resource, and what the cloud makes or takes along with that. */
export function findEdits(
  before: CloudState,
  steps: readonly { readonly cloud: CloudState }[],
): Edit[][] {
  return steps.map(({ cloud: { resources: now } }, i) => {
    const then = (steps[i - 1]?.cloud ?? before).resources;
    const types = new Set([...Object.keys(then), ...Object.keys(now)]);
    return [...types].flatMap((type) => {
      const ids = new Set([...Object.keys(then[type] ?? {}), ...Object.keys(now[type] ?? {})]);
      return [...ids]
        .filter((id) => JSON.stringify(then[type]?.[id]) !== JSON.stringify(now[type]?.[id]))
        .map((id) => ({ type, id, content: now[type]?.[id] }));
    });
  });
}

/** The cloud after some of the steps, in whichever order: each resource as the last of them left it. */
export function composeState(
  before: CloudState,
  edits: readonly (readonly Edit[])[],
  done: ReadonlySet<number>,
): CloudState {
  const resources = { ...before.resources };
  for (const { type, id, content } of edits.flatMap((own, i) => (done.has(i) ? own : []))) {
    const { [id]: _, ...others } = resources[type] ?? {};
    if (content === undefined) resources[type] = others;
    else resources[type] = { ...resources[type], [id]: content };
  }
  return { ...before, resources };
}
