import { firstFailure } from './findings.js';
import type { LinkResult, Pattern, Verification } from './verification.js';

/** One link as seen from one place. */
interface Cell {
  readonly place: string;
  readonly link: string;
  /** What failed first; undefined where nothing did. */
  readonly code: string | undefined;
  /** No check could run there, so nothing is known of the link. */
  readonly isUnseen: boolean;
}

/** The name of a link without the place behind it. */
function linkName({ name, place }: Pick<LinkResult, 'name' | 'place'>): string {
  const end = `@${place}`;
  return place !== undefined && name.endsWith(end) ? name.slice(0, -end.length) : name;
}

/** The links from each of several places: a row of places, then one for each link. Else empty. */
export function placesTable({ links }: Pick<Verification, 'links'>): string[][] {
  const places = [...new Set(links.flatMap(({ place }) => place ?? []))];
  if (places.length < 2) return [];
  const names = [...new Set(links.map(linkName))];
  const cell = (name: string, place: string) => {
    const link = links.find((one) => one.place === place && linkName(one) === name);
    return link === undefined ? '' : (firstFailure(link.stages)?.code ?? link.verdict);
  };
  return [['', ...places], ...names.map((name) => [name, ...places.map((one) => cell(name, one))])];
}

/**
 * Which part of the way the failures share: what fails from one place alone is that place's way, what
 * fails from all of them is the link's own. Empty where there is one place, or nothing failed.
 */
export function placePatterns(results: readonly LinkResult[]): Pattern[] {
  const cells = results.flatMap((result): Cell[] => {
    const { place } = result;
    if (place === undefined) return [];
    const code = firstFailure(result.stages)?.code;
    return [{ place, link: linkName(result), code, isUnseen: code?.startsWith('run.') ?? false }];
  });
  const places = [...new Set(cells.map(({ place }) => place))];
  if (places.length < 2) return [];
  const unseen = places.filter((place) => of(cells, { place }).every(({ isUnseen }) => isUnseen));
  const seen = cells.filter(({ isUnseen }) => !isUnseen);
  return [
    ...unseen.map((place) => unseenPattern(place, of(cells, { place }))),
    ...failurePatterns(seen),
  ];
}

function failurePatterns(cells: readonly Cell[]): Pattern[] {
  const places = [...new Set(cells.map(({ place }) => place))];
  const links = [...new Set(cells.map(({ link }) => link))];
  const bad = cells.filter(({ code }) => code !== undefined);
  if (bad.length === 0 || places.length < 2) return [];
  if (bad.length === cells.length) return [everywhere(places, links, bad)];
  const byPlace = places.filter((place) => of(cells, { place }).every(hasFailed));
  const byLink = links.filter((link) => of(cells, { link }).every(hasFailed));
  const left = bad.filter(({ place, link }) => !byPlace.includes(place) && !byLink.includes(link));
  return [
    ...byPlace.map((place) => atPlace(place, of(bad, { place }))),
    ...byLink.map((link) => ofLink(link, of(bad, { link }))),
    ...left.map((cell) => onWay(cell)),
  ];
}

function unseenPattern(place: string, cells: readonly Cell[]): Pattern {
  const text = `nothing is known from ${place} (${listCodes(cells)}): check the command that leads there`;
  return pattern('unseen', text, cells);
}

function everywhere(
  places: readonly string[],
  links: readonly string[],
  bad: readonly Cell[],
): Pattern {
  const what = links.length === 1 ? (links[0] ?? '') : 'every link';
  const isAlike = new Set(bad.map(({ code }) => code)).size === 1;
  const text = `${what} fails from all ${places.length} places (${listCodes(bad)}): ${
    isAlike
      ? 'look at what the places share, the endpoint, the credentials or the service, and not at the way of one place'
      : 'they fail in different ways, so that each has a cause of its own, or one on what they share hides others'
  }`;
  return pattern('everywhere', text, bad);
}

function atPlace(place: string, bad: readonly Cell[]): Pattern {
  const what = bad.length === 1 ? (bad[0]?.link ?? '') : 'every link';
  const text = `${what} fails from ${place} (${listCodes(bad)}) and works from elsewhere: the cause is on the path out of ${place}, its DNS, routes, firewall or proxy, or ${place} is not let in`;
  return pattern('place', text, bad);
}

function ofLink(link: string, bad: readonly Cell[]): Pattern {
  const text = `${link} fails from every place (${listCodes(bad)}), and other links work from there: the cause is the link's own, its endpoint or what is behind it`;
  return pattern('link', text, bad);
}

function onWay(cell: Cell): Pattern {
  const { place, link } = cell;
  const text = `${link} fails from ${place} (${listCodes([cell])}) and works from elsewhere, and other links work from ${place}: the cause is between these two, as a route, a rule for ${place}, or what ${place} resolves the name to`;
  return pattern('way', text, [cell]);
}

function pattern(kind: Pattern['kind'], text: string, cells: readonly Cell[]): Pattern {
  const places = [...new Set(cells.map(({ place }) => place))];
  const links = [...new Set(cells.map(({ link }) => link))];
  return { kind, text, places, links };
}

function of(cells: readonly Cell[], wanted: Partial<Cell>): readonly Cell[] {
  const { place, link } = wanted;
  return cells.filter(
    (cell) =>
      (place === undefined || cell.place === place) && (link === undefined || cell.link === link),
  );
}

function hasFailed({ code }: Cell): boolean {
  return code !== undefined;
}

function listCodes(cells: readonly Cell[]): string {
  return [...new Set(cells.map(({ code }) => code))].join(', ');
}
