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
  partly: 'can reach in part',
  undecided: 'may or may not reach',
};

/** The first line of an answer: `YES: 10.30.5.7 can reach orders:8080`. */
export function answerText({ from, to, answer }: Question): string {
  return `${ANSWERS[answer]}: ${from} ${VERBS[answer]} ${to}`;
}

/** One place in a line: `orders, in volcenginecc_vpc_vpc.network: NO`. */
export function placeText({ subject, stack, vpc, answer }: Place): string {
  return `${subject}${vpc === '' ? '' : `, in ${vpc}`} (${stack}): ${ANSWERS[answer]}`;
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
