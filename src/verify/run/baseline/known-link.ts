import type { LinkResult, Verification } from '../../model/verification.js';

type Named = Pick<LinkResult, 'name' | 'baseUrl'>;

/** By name and base URL; made once for each report, which may have thousands of links. */
const indexes = new WeakMap<Verification, ReadonlyMap<string, LinkResult>>();

/** A link as an earlier report has it; where that has it several times, the last counts. */
export function knownLink(baseline: Verification, link: Named): LinkResult | undefined {
  return indexOf(baseline).get(linkKey(link));
}

/** The links of an earlier report, each once. */
export function knownLinks(baseline: Verification): LinkResult[] {
  return [...indexOf(baseline).values()];
}

export function linkKey({ name, baseUrl }: Named): string {
  return JSON.stringify([name, baseUrl]);
}

function indexOf(baseline: Verification): ReadonlyMap<string, LinkResult> {
  const known = indexes.get(baseline);
  if (known !== undefined) return known;
  const made = new Map(baseline.links.map((link) => [linkKey(link), link]));
  indexes.set(baseline, made);
  return made;
}
