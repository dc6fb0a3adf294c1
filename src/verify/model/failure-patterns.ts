import { firstFailure } from './findings.js';
import type { LinkResult, Pattern, Verification } from './verification.js';

/** One link as seen from one vantage point. */
interface Cell {
  readonly vantagePoint: string;
  readonly link: string;
  /** What failed first; undefined where nothing did. */
  readonly code: string | undefined;
  /** No check could run there, so nothing is known of the link. */
  readonly isUnseen: boolean;
}

/** The name of a link without the vantage point behind it. */
function linkName({ name, vantagePoint }: Pick<LinkResult, 'name' | 'vantagePoint'>): string {
  const end = `@${vantagePoint}`;
  return vantagePoint !== undefined && name.endsWith(end) ? name.slice(0, -end.length) : name;
}

/** A row that names the vantage points, then one for each link; empty unless there are several. */
export function vantagePointTable({ links }: Pick<Verification, 'links'>): string[][] {
  const vantagePoints = [...new Set(links.flatMap(({ vantagePoint }) => vantagePoint ?? []))];
  if (vantagePoints.length < 2) return [];
  const names = [...new Set(links.map(linkName))];
  const cell = (name: string, vantagePoint: string) => {
    const link = links.find((one) => one.vantagePoint === vantagePoint && linkName(one) === name);
    return link === undefined ? '' : (firstFailure(link.stages)?.code ?? link.verdict);
  };
  return [
    ['', ...vantagePoints],
    ...names.map((name) => [name, ...vantagePoints.map((one) => cell(name, one))]),
  ];
}

/**
 * Which part of the path the failures share: what fails from one vantage point alone is on the path
 * out of it, what fails from all of them is the link's own. Empty with one vantage point or no failure.
 */
export function findPatterns(results: readonly LinkResult[]): Pattern[] {
  const cells = results.flatMap((result): Cell[] => {
    const { vantagePoint } = result;
    if (vantagePoint === undefined) return [];
    const code = firstFailure(result.stages)?.code;
    return [
      { vantagePoint, link: linkName(result), code, isUnseen: code?.startsWith('run.') ?? false },
    ];
  });
  const vantagePoints = [...new Set(cells.map(({ vantagePoint }) => vantagePoint))];
  if (vantagePoints.length < 2) return [];
  const unseen = vantagePoints.filter((vantagePoint) =>
    of(cells, { vantagePoint }).every(({ isUnseen }) => isUnseen),
  );
  const seen = cells.filter(({ isUnseen }) => !isUnseen);
  return [
    ...unseen.map((vantagePoint) => unseenPattern(vantagePoint, of(cells, { vantagePoint }))),
    ...groupFailures(seen),
  ];
}

function groupFailures(cells: readonly Cell[]): Pattern[] {
  const vantagePoints = [...new Set(cells.map(({ vantagePoint }) => vantagePoint))];
  const links = [...new Set(cells.map(({ link }) => link))];
  const bad = cells.filter(({ code }) => code !== undefined);
  if (bad.length === 0 || vantagePoints.length < 2) return [];
  if (bad.length === cells.length) return [everywhere(vantagePoints, links, bad)];
  const byVantagePoint = vantagePoints.filter((vantagePoint) =>
    of(cells, { vantagePoint }).every(hasFailed),
  );
  const byLink = links.filter((link) => of(cells, { link }).every(hasFailed));
  const left = bad.filter(
    ({ vantagePoint, link }) => !byVantagePoint.includes(vantagePoint) && !byLink.includes(link),
  );
  return [
    ...byVantagePoint.map((vantagePoint) =>
      atVantagePoint(vantagePoint, of(bad, { vantagePoint })),
    ),
    ...byLink.map((link) => ofLink(link, of(bad, { link }))),
    ...left.map((cell) => onPath(cell)),
  ];
}

function unseenPattern(vantagePoint: string, cells: readonly Cell[]): Pattern {
  const text = `nothing is known from ${vantagePoint} (${listCodes(cells)}): check the command that leads there`;
  return pattern('unseen', text, cells);
}

function everywhere(
  vantagePoints: readonly string[],
  links: readonly string[],
  bad: readonly Cell[],
): Pattern {
  const what = links.length === 1 ? (links[0] ?? '') : 'every link';
  const isAlike = new Set(bad.map(({ code }) => code)).size === 1;
  const text = `${what} fails from all ${vantagePoints.length} vantage points (${listCodes(bad)}): ${
    isAlike
      ? 'check what the vantage points share (the endpoint, the credentials or the service), not the path from any one of them'
      : 'the failures differ, so each has its own cause, or a cause in what they share hides the others'
  }`;
  return pattern('everywhere', text, bad);
}

function atVantagePoint(vantagePoint: string, bad: readonly Cell[]): Pattern {
  const what = bad.length === 1 ? (bad[0]?.link ?? '') : 'every link';
  const text = `${what} fails from ${vantagePoint} (${listCodes(bad)}) and works from elsewhere: the cause is on the path out of ${vantagePoint}, its DNS, routes, firewall or proxy, or ${vantagePoint} is not let in`;
  return pattern('vantage-point', text, bad);
}

function ofLink(link: string, bad: readonly Cell[]): Pattern {
  const text = `${link} fails from every vantage point (${listCodes(bad)}), and other links work from there: the cause is the link's own, its endpoint or what is behind it`;
  return pattern('link', text, bad);
}

function onPath(cell: Cell): Pattern {
  const { vantagePoint, link } = cell;
  const text = `${link} fails from ${vantagePoint} (${listCodes([cell])}) and works from elsewhere, and other links work from ${vantagePoint}: the cause is between these two, as a route, a rule for ${vantagePoint}, or what ${vantagePoint} resolves the name to`;
  return pattern('path', text, [cell]);
}

function pattern(kind: Pattern['kind'], text: string, cells: readonly Cell[]): Pattern {
  const vantagePoints = [...new Set(cells.map(({ vantagePoint }) => vantagePoint))];
  const links = [...new Set(cells.map(({ link }) => link))];
  return { kind, text, vantagePoints, links };
}

function of(cells: readonly Cell[], wanted: Partial<Cell>): readonly Cell[] {
  const { vantagePoint, link } = wanted;
  return cells.filter(
    (cell) =>
      (vantagePoint === undefined || cell.vantagePoint === vantagePoint) &&
      (link === undefined || cell.link === link),
  );
}

function hasFailed({ code }: Cell): boolean {
  return code !== undefined;
}

function listCodes(cells: readonly Cell[]): string {
  return [...new Set(cells.map(({ code }) => code))].join(', ');
}
