import type { ReviewReport } from '../report-schema.js';
import { type Columns, findingSections, type Section, tableOf } from './finding-sections.js';

/** The parts that have something to say, the most urgent first. */
export function makeSections(report: ReviewReport): Section[] {
  const { decision, plans, addressLists, domains, exceptions, tickets, notes, digests } = report;
  // Where nothing is opened or weakened, nobody asks for a ticket.
  const isAsked = decision === 'needs-approval' || decision === 'forbidden';
  return [
    ...findingSections(report),
    tableOf('What the plans do, in numbers of objects', plans, PLANS),
    tableOf('Address lists', addressLists, ADDRESS_LISTS),
    tableOf('Base URLs', domains, DOMAINS),
    steps(report),
    tableOf('Exceptions', exceptions, EXCEPTIONS),
    tableOf('Tickets (tag of the stack, not of a change)', isAsked ? tickets : [], COMPARED),
    { title: 'Notes', columns: [], rows: notes.map((note) => [note]) },
    tableOf('Digests of what Terraform opens', digests, COMPARED),
  ].filter(({ rows }) => rows.length > 0);
}

/** The columns of what a report lists under a name. */
type ColumnsOf<Name extends 'plans' | 'addressLists' | 'domains' | 'exceptions' | 'digests'> =
  Columns<ReviewReport[Name][number]>;

const PLANS: ColumnsOf<'plans'> = {
  stack: ({ stack }) => stack,
  'to add': ({ add }) => String(add),
  'to change': ({ change }) => String(change),
  'to replace': ({ replace }) => String(replace),
  'to destroy': ({ destroy }) => String(destroy),
};

const ADDRESS_LISTS: ColumnsOf<'addressLists'> = {
  list: ({ list, stack }) => `${list} (${stack})`,
  source: ({ source }) => source ?? 'not stated',
  version: ({ versionWas, versionNow }) =>
    versionWas === versionNow
      ? (versionNow ?? 'not stated')
      : `${versionWas ?? 'none'} → ${versionNow ?? 'none'}`,
  added: ({ added }) => added.join(', '),
  removed: ({ removed }) => removed.join(', '),
};

const DOMAINS: ColumnsOf<'domains'> = {
  link: ({ link, stack }) => `${link} (${stack})`,
  before: ({ was }) => was,
  after: ({ now }) => now ?? 'gone',
};

function steps({ steps: all }: ReviewReport): Section {
  const at = (when: string) => all.filter((step) => step.when === when).map(({ text }) => [text]);
  const rows = [...at('before the deploy'), ['Deploy.'], ...at('after the deploy')];
  return {
    title: 'Manual steps, in this order',
    columns: [],
    rows: all.length === 0 ? [] : rows,
    isOrdered: true,
  };
}

const EXCEPTIONS: ColumnsOf<'exceptions'> = {
  state: ({ isNew, state }) => (isNew ? `${state}, new` : state),
  subject: ({ subject, stack }) => `${subject} (${stack})`,
  rule: ({ rule }) => rule,
  reason: ({ reason }) => reason,
  owner: ({ owner }) => owner,
  'last day': ({ expires }) => expires,
};

const COMPARED: ColumnsOf<'digests'> = {
  stack: ({ stack }) => stack,
  base: ({ base }) => base ?? 'none',
  head: ({ base, head }) => (head === base && head !== undefined ? 'the same' : (head ?? 'none')),
};
