import type { Synthesized } from '../../support/synth.js';

/** The resources of one case, before and after its change; they are named after it. */
export interface Case {
  readonly name: string;
  readonly before: Synthesized;
  readonly after: Synthesized;
}

/** Everything that an option says, with other values for each part. */
export interface Alternatives<Props extends object> {
  readonly base: Props;
  readonly others: { readonly [Name in keyof Props]?: readonly Props[Name][] };
}

type Build<Props> = (id: string, props: Props) => Synthesized;

/** Texts decide nothing: they are changed alone only. */
function isText(part: string): boolean {
  return part.startsWith('reason');
}

/** A case for every part changed alone, there and back, and for every two parts changed at once. */
export function casesOf<Props extends object>(
  prefix: string,
  { base, others }: Alternatives<Props>,
  build: Build<Props>,
): Case[] {
  const changes = Object.entries(others).flatMap(([name, values]) =>
    (values as unknown[]).map((value) => ({ name, patch: { [name]: value } })),
  );
  const pairs = changes.flatMap((one, index) =>
    changes
      .slice(index + 1)
      .filter(({ name }) => name !== one.name && !isText(name) && !isText(one.name))
      .map((other) => ({
        name: `${one.name}+${other.name}`,
        patch: { ...one.patch, ...other.patch },
      })),
  );
  const there = [...changes, ...pairs].map(({ name, patch }) => [name, base, patch] as const);
  const back = changes.map(({ name, patch }) => [`${name} back`, patch, base] as const);
  return [...there, ...back].map(([name, before, after], index) => ({
    name: `${prefix} ${name}`,
    before: build(`${prefix}${index}`, { ...base, ...before }),
    after: build(`${prefix}${index}`, { ...base, ...after }),
  }));
}
