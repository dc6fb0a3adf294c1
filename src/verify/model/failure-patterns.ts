import { reasonText } from '../../codes/stated.js';
import { groupBy } from '../../lists/group-by.js';
import { firstFailure } from './findings.js';
import type { LinkResult, PATTERN_KINDS, Pattern, Verification } from './verification.js';

/** One link as seen from one vantage point. */
interface Cell {
  readonly vantagePoint: string;
  readonly link: string;
  /** The reason of the first failure; undefined if nothing failed. */
  readonly reason: string | undefined;
}

/** The name of a link without the vantage point behind it. */
function linkName({ name, vantagePoint }: Pick<LinkResult, 'name' | 'vantagePoint'>): string {
  const end = `@${vantagePoint}`;
  return vantagePoint !== undefined && name.endsWith(end) ? name.slice(0, -end.length) : name;
}

function failureOf({ stages }: LinkResult): string | undefined {
  const failure = firstFailure(stages);
  return failure && reasonText(failure);
}

/** A row that names the vantage points, then one for each link; empty unless there are several. */
export function vantagePointTable({ links }: Pick<Verification, 'links'>): string[][] {
  const vantagePoints = [...new Set(links.flatMap(({ vantagePoint }) => vantagePoint ?? []))];
  if (vantagePoints.length < 2) return [];
  const names = [...new Set(links.map(linkName))];
  const cell = (name: string, vantagePoint: string) => {
    const link = links.find((one) => one.vantagePoint === vantagePoint && linkName(one) === name);
    return link === undefined ? '' : (failureOf(link) ?? link.verdict);
  };
  return [
    ['', ...vantagePoints],
    ...names.map((name) => [name, ...vantagePoints.map((one) => cell(name, one))]),
  ];
}

/**
 * Finds the part of the path that failures share: what fails from one vantage point alone is on the path
 * out of it, what fails from all of them is the link's own. Empty with one vantage point or no failure.
 */
export function findPatterns(results: readonly LinkResult[]): Pattern[] {
  const cells = results.flatMap((result): Cell[] => {
    const { vantagePoint } = result;
    if (vantagePoint === undefined) return [];
    return [{ vantagePoint, link: linkName(result), reason: failureOf(result) }];
  });
  const byVantagePoint = cellsBy('vantagePoint', cells);
  if (byVantagePoint.length < 2) return [];
  const unseen = byVantagePoint.filter((group) => group.every(isUnseen));
  return [
    ...unseen.map((group) => pattern('unseen', group)),
    ...groupFailures(cells.filter((cell) => !isUnseen(cell))),
  ];
}

function groupFailures(cells: readonly Cell[]): Pattern[] {
  const [byVantagePoint, byLink] = [cellsBy('vantagePoint', cells), cellsBy('link', cells)];
  const bad = cells.filter(hasFailed);
  if (bad.length === 0 || byVantagePoint.length < 2) return [];
  if (bad.length === cells.length) return [pattern('everywhere', bad)];
  const badVantagePoints = byVantagePoint.filter((group) => group.every(hasFailed));
  const badLinks = byLink.filter((group) => group.every(hasFailed));
  const explained = new Set([...badVantagePoints, ...badLinks].flat());
  return [
    ...badVantagePoints.map((group) => pattern('vantage-point', group)),
    ...badLinks.map((group) => pattern('link', group)),
    ...bad.filter((cell) => !explained.has(cell)).map((cell) => pattern('path', [cell])),
  ];
}

/** No check could run there, so nothing is known of the link. */
function isUnseen({ reason = '' }: Cell): boolean {
  return reason.startsWith('run.');
}

function hasFailed({ reason }: Cell): boolean {
  return reason !== undefined;
}

function cellsBy(key: 'vantagePoint' | 'link', cells: readonly Cell[]) {
  return [...groupBy(cells, (cell) => cell[key]).values()];
}

interface Group {
  /** The link, or that it is all of them. */
  readonly what: string;
  /** The first of them. */
  readonly from: string;
  readonly vantagePoints: readonly string[];
  readonly reasons: readonly string[];
}

const TEXTS: Record<(typeof PATTERN_KINDS)[number], (group: Group) => string> = {
  unseen: ({ from, reasons }) =>
    `nothing is known from ${from} (${reasons.join(', ')}): check the command that leads there`,
  everywhere: ({ what, vantagePoints, reasons }) =>
    `${what} fails from all ${vantagePoints.length} vantage points (${reasons.join(', ')}): ${
      reasons.length === 1
        ? 'check what the vantage points share (the endpoint, the credentials or the service), not the path from any one of them'
        : 'the failures differ, so each has its own cause, or a cause in what they share hides the others'
    }`,
  'vantage-point': ({ what, from, reasons }) =>
    `${what} fails from ${from} (${reasons.join(', ')}) and works from elsewhere: the cause is on the path out of ${from}, its DNS, routes, firewall or proxy, or ${from} is not let in`,
  link: ({ what, reasons }) =>
    `${what} fails from every vantage point (${reasons.join(', ')}), and other links work from there: the cause is the link's own, its endpoint or what is behind it`,
  path: ({ what, from, reasons }) =>
    `${what} fails from ${from} (${reasons.join(', ')}) and works from elsewhere, and other links work from ${from}: the cause is between these two, as a route, a rule for ${from}, or what ${from} resolves the name to`,
};

function pattern(kind: keyof typeof TEXTS, cells: readonly Cell[]): Pattern {
  const vantagePoints = [...new Set(cells.map(({ vantagePoint }) => vantagePoint))];
  const links = [...new Set(cells.map(({ link }) => link))];
  const reasons = [...new Set(cells.flatMap(({ reason }) => reason ?? []))];
  const [from = ''] = vantagePoints;
  const what = links.length === 1 ? links.join() : 'every link';
  const text = TEXTS[kind]({ what, from, vantagePoints, reasons });
  return { kind, text, vantagePoints, links };
}
