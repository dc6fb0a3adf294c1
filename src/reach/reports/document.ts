import { counted } from '../../lists/counted.js';
import { groupBy } from '../../lists/group-by.js';
import { isNetworkText, parseNetwork } from '../../net/cidr.js';
import { FIXED_CIDRS } from '../../net/fixed-addresses.js';
import { type Figure, listOf, type ReportDocument } from '../../report/document.js';
import { rangeText } from '../packet-rule.js';
import type { ReachReport } from '../report-schema.js';
import { combine, everythingOf } from '../sets/ranges.js';
import { subtract } from '../sets/services.js';
import { type ResourceNames, resourceNames } from './names.js';

type Question = NonNullable<ReachReport['question']>;
type Place = Question['places'][number];

const ANSWERS = {
  reachable: ['YES', 'can reach'],
  closed: ['NO', 'cannot reach'],
  partly: ['PARTLY', 'can reach'],
  undecided: ['UNDECIDED', 'may or may not reach'],
} as const;

/** The first line of an answer: `PARTLY: 10.30.5.7 can reach orders:8080 at 1 of 2 places`. */
function answerText({ from, to, answer, places }: Question): string {
  const [word, verb] = ANSWERS[answer];
  return `${word}: ${from} ${verb} ${to}${placesText(answer, places)}`;
}

/** Counts the places where an answer holds: a name can have several. */
function placesText(answer: Question['answer'], places: readonly Place[]): string {
  const count = (wanted: Place['answer']) => places.filter((one) => one.answer === wanted).length;
  const part = answer === 'partly' && count('partly') === places.length ? ' in part' : '';
  if (places.length < 2) return part;
  const all = `its ${places.length} places`;
  if (count(answer) === places.length) {
    return answer === 'closed' ? ` at any of ${all}` : `${part}, at each of ${all}`;
  }
  const counts = [
    [' at', answer === 'partly' ? count('reachable') : 0],
    [' in part at', count('partly')],
    [answer === 'partly' ? ' and may or may not at' : ' at', count('undecided')],
  ] as const;
  const [first = '', ...more] = counts.filter(([, n]) => n > 0).map(([how, n]) => `${how} ${n}`);
  return [`${first} of ${places.length} places`, ...more].join(',');
}

/** One place in a line: `orders, in VPC network: NO`; places of one heading have their carriers too. */
function placeText(place: Place, all: readonly Place[], names: ResourceNames): string {
  const isAlone = all.filter((one) => headingOf(one) === headingOf(place)).length === 1;
  const by = isAlone ? '' : `, by ${place.carriers.map(names).join(', ')}`;
  return `${headingOf(place, names)}${by}: ${ANSWERS[place.answer][0]}`;
}

function headingOf({ subject, stack, vpc }: Place, names: ResourceNames = String): string {
  return `${names(subject)}${vpc === '' ? '' : `, in ${names(vpc)}`} (${stack})`;
}

/** The rules that decide, a line each, and what the answer depends on. */
export function placeLines(
  { answer, part, rules, depends, carriers }: Place,
  names: ResourceNames = String,
): string[] {
  const isUndecided = answer === 'closed' && rules.every(({ effect }) => effect === 'accept');
  return [
    ...(part.length === 0 ? [] : [`this part: ${part.join('; ')}`]),
    ...rules.map(({ resource, file, effect, rule, reason }) => {
      const why = reason === '' ? '' : `; stated: ${reason}`;
      return `${effect} by ${names(resource)} in ${file}: ${rule}${why}`;
    }),
    ...(isUndecided || rules.length === 0
      ? [`no rule of ${carriers.map(names).join(', ')} decides`]
      : []),
    ...depends.map((one) => `depends on: ${one}`),
  ];
}

/** The columns of the table. */
const COLUMNS = ['who', 'may reach', 'on', 'through', 'why'] as const;

/** The rows of the table for people: rows that differ in their addresses alone are one, if one text names them all. */
export function tableCells(rows: ReachReport['rows'], names: ResourceNames = String): string[][] {
  const alike = groupBy(rows, ({ peer, ...rest }) =>
    JSON.stringify([rest, rangesOf(peer) === undefined && peer]),
  );
  return [...alike.values()].flatMap((all) => {
    const { direction, subject, services, resource, reason, depends } = all[0];
    const own = all.map(({ peer }) => peer);
    const together = peersText(own);
    const called = names(subject);
    return (together === undefined ? own : [together]).map((peer) => {
      const [from, to] = direction === 'ingress' ? [peer, called] : [called, peer];
      const why = depends === '' ? reason : `depends on: ${depends}`;
      const through = resource.split('; ').map(names).join('; ');
      return [from, to, services, through, why];
    });
  });
}

/** Ranges of addresses, as `rangeText` writes them; undefined where a peer is known by its name. */
function rangesOf(peer: string) {
  const ends = peer.split(', ').map((one) => one.split(' – '));
  if (!ends.flat().every(isNetworkText)) return undefined;
  return ends.map((both) => {
    const [from, to = from] = both.map(parseNetwork);
    return { family: from?.family ?? 4, first: from?.first ?? 0n, last: to?.last ?? 0n };
  });
}

/** The limit of ranges that a row names. */
const MAX_WRITTEN = 3;

/** Names all peers of a row; undefined where they are too many: none is left out. */
function peersText(peers: readonly string[]): string | undefined {
  const names = peers.flatMap((peer) => peer.split(', '));
  const fixed = FIXED_CIDRS.map((cidr) => cidr.replace('/32', '')).sort();
  if (names.toSorted().join() === fixed.join())
    return `the service's ${names.length} fixed addresses`;
  const ranges = peers.flatMap((peer) => rangesOf(peer) ?? []);
  const [family = 4, other] = new Set(ranges.map((one) => one.family));
  const all = everythingOf([parseNetwork(family === 4 ? '0.0.0.0/0' : '::/0')], family);
  const holes = combine(all, everythingOf(ranges, family), subtract);
  const [hole] = names.length > 1 && other === undefined && holes.length === 1 ? holes : [];
  if (hole !== undefined) {
    return `every IPv${family} address but ${rangeText(family, hole.first, hole.last)}`;
  }
  return names.length > MAX_WRITTEN ? undefined : names.join(', ');
}

/** Names the peers of a line in a drawing, or counts them. */
export function labelOf(peers: readonly string[]): string {
  const [first = '', ...others] = peers;
  if (others.length === 0) return first;
  const ranges = peers.map(rangesOf);
  const names = ranges.every((one) => one !== undefined) ? peersText(peers) : undefined;
  if (names !== undefined) return names;
  const all = ranges.flat();
  const areOne = all.every((one) => one !== undefined && one.first === one.last);
  const words = all.some((one) => one === undefined) ? 'peers' : areOne ? 'addresses' : 'networks';
  return `${all.length} ${words}`;
}

/** The first line of a table. */
export function tableText({ about, rows, unread }: ReachReport): string {
  const more =
    unread.length === 0 ? '' : `; ${counted(unread.length, 'part is', 'parts are')} not read`;
  return `${aboutText(tableCells(rows).length, about)}${more}`;
}

function aboutText(count: number, { from, to }: NonNullable<ReachReport['about']> = {}): string {
  const rows = counted(count, 'row');
  if (from !== undefined)
    return count === 0 ? `${from} can reach nothing` : `${rows} of what ${from} may reach`;
  if (to !== undefined)
    return count === 0 ? `nobody can reach ${to}` : `${rows} of who may reach ${to}`;
  return `${rows} of who may reach what`;
}

/**
 * Makes the document of an answer, or of the table.
 *
 * @param figures drawings of it
 * @param names of resources
 */
export function reachDocument(
  report: ReachReport,
  figures: readonly Figure[] = [],
  names: ResourceNames = resourceNames(addressesOf(report)),
): ReportDocument {
  const { question, rows, unread } = report;
  const cells = tableCells(rows, names);
  const table = { title: '', columns: COLUMNS, rows: cells, isAnswer: true } as const;
  const places = question?.places.map((place) => ({
    ...listOf(placeText(place, question.places, names), placeLines(place, names)),
    isAnswer: true as const,
  }));
  const sections = [...(places ?? [table]), listOf('Not read', unread)];
  return {
    headline: question === undefined ? tableText(report) : answerText(question),
    tone: question === undefined ? 'skipped' : TONES[question.answer],
    sections: sections.filter((section) => section.isAnswer || section.rows.length > 0),
    figures,
  };
}

function addressesOf({ question, rows }: ReachReport): string[] {
  const places = question?.places ?? [];
  return [
    ...rows.flatMap(({ subject, resource }) => [subject, ...resource.split('; ')]),
    ...places.flatMap(({ subject, vpc, carriers, rules }) => [
      ...[subject, vpc, ...carriers],
      ...rules.map(({ resource }) => resource),
    ]),
  ];
}

/** Nothing is good or bad about an answer by itself. */
const TONES = {
  reachable: 'passed',
  closed: 'skipped',
  partly: 'warned',
  undecided: 'warned',
} as const satisfies Record<Question['answer'], ReportDocument['tone']>;
