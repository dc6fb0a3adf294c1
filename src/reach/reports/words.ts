import { counted } from '../../lists/counted.js';
import type { ReachReport } from '../report-schema.js';

type Question = NonNullable<ReachReport['question']>;
type Place = Question['places'][number];

const ANSWERS: Readonly<Record<Question['answer'], string>> = {
  reachable: 'YES',
  closed: 'NO',
  partly: 'PARTLY',
  undecided: 'UNDECIDED',
};

const VERBS: Readonly<Record<Question['answer'], string>> = {
  reachable: 'can reach',
  closed: 'cannot reach',
  partly: 'can reach',
  undecided: 'may or may not reach',
};

/** The first line of an answer: `PARTLY: 10.30.5.7 can reach orders:8080 at 1 of 2 places`. */
export function answerText({ from, to, answer, places }: Question): string {
  return `${ANSWERS[answer]}: ${from} ${VERBS[answer]} ${to}${placesText(answer, places)}`;
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

/** One place in a line: `orders, in volcenginecc_vpc_vpc.network: NO`; places of one heading have their carriers too. */
export function placeText(place: Place, all: readonly Place[]): string {
  const isAlone = all.filter((one) => headingOf(one) === headingOf(place)).length === 1;
  const by = isAlone ? '' : `, by ${place.carriers.join(', ')}`;
  return `${headingOf(place)}${by}: ${ANSWERS[place.answer]}`;
}

function headingOf({ subject, stack, vpc }: Place): string {
  return `${subject}${vpc === '' ? '' : `, in ${vpc}`} (${stack})`;
}

/** The rules that decide, a line each, and what the answer depends on. */
export function placeLines({ answer, part, rules, depends, carriers }: Place): string[] {
  const isUndecided = answer === 'closed' && rules.every(({ effect }) => effect === 'accept');
  return [
    ...(part.length === 0 ? [] : [`this part: ${part.join('; ')}`]),
    ...rules.map(({ resource, file, effect, rule, reason }) => {
      const why = reason === '' ? '' : `; stated: ${reason}`;
      return `${effect} by ${resource} in ${file}: ${rule}${why}`;
    }),
    ...(isUndecided || rules.length === 0 ? [`no rule of ${carriers.join(', ')} decides`] : []),
    ...depends.map((one) => `depends on: ${one}`),
  ];
}

/** The columns of the table. */
export const COLUMNS = ['who', 'may reach', 'on', 'through', 'why'] as const;

/** A row of the table. */
export function rowCells(row: ReachReport['rows'][number]): string[] {
  const { direction, subject, peer, services, resource, reason, depends } = row;
  const [from, to] = direction === 'ingress' ? [peer, subject] : [subject, peer];
  const why = depends === '' ? reason : `depends on: ${depends}`;
  return [from, to, services, resource, why];
}

/** The first line of a table. */
export function tableText({ about, rows, unread }: ReachReport): string {
  const more =
    unread.length === 0 ? '' : `; ${counted(unread.length, 'part is', 'parts are')} not read`;
  return `${aboutText(rows.length, about)}${more}`;
}

function aboutText(count: number, { from, to }: NonNullable<ReachReport['about']> = {}): string {
  const rows = counted(count, 'row');
  if (from !== undefined)
    return count === 0 ? `${from} can reach nothing` : `${rows} of what ${from} may reach`;
  if (to !== undefined)
    return count === 0 ? `nobody can reach ${to}` : `${rows} of who may reach ${to}`;
  return `${rows} of who may reach what`;
}
