import type { ReviewReport } from '../report-schema.js';
import { findingSections, type Section } from './finding-sections.js';

/** The parts that have something to say, the most urgent first. */
export function makeSections(report: ReviewReport): Section[] {
  return [
    ...findingSections(report),
    plans(report),
    addressLists(report),
    domains(report),
    steps(report),
    exceptions(report),
    tickets(report),
    { title: 'Notes', columns: [], rows: report.notes.map((note) => [note]) },
    digests(report),
  ].filter(({ rows }) => rows.length > 0);
}

function plans({ plans: all }: ReviewReport): Section {
  return {
    title: 'What the plans do, in numbers of objects',
    columns: ['stack', 'to add', 'to change', 'to replace', 'to destroy'],
    rows: all.map(({ stack, ...counts }) => [
      stack,
      ...[counts.add, counts.change, counts.replace, counts.destroy].map(String),
    ]),
  };
}

function addressLists({ addressLists: all }: ReviewReport): Section {
  return {
    title: 'Address lists',
    columns: ['list', 'source', 'version', 'added', 'removed'],
    rows: all.map(({ list, stack, source, versionWas, versionNow, added, removed }) => [
      `${list} (${stack})`,
      source ?? 'not stated',
      versionWas === versionNow
        ? (versionNow ?? 'not stated')
        : `${versionWas ?? 'none'} → ${versionNow ?? 'none'}`,
      added.join(', '),
      removed.join(', '),
    ]),
  };
}

function domains({ domains: all }: ReviewReport): Section {
  return {
    title: 'Base URLs',
    columns: ['link', 'before', 'after'],
    rows: all.map(({ link, stack, was, now }) => [`${link} (${stack})`, was, now ?? 'gone']),
  };
}

/** The deploy is between the steps before it and those after it. */
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

function exceptions({ exceptions: all }: ReviewReport): Section {
  return {
    title: 'Exceptions',
    columns: ['state', 'subject', 'rule', 'reason', 'owner', 'last day'],
    rows: all.map(({ state, isNew, subject, stack, rule, reason, owner, expires }) => [
      isNew ? `${state}, new` : state,
      `${subject} (${stack})`,
      rule,
      reason,
      owner,
      expires,
    ]),
  };
}

/** Where nothing is opened or weakened, nobody asks for a ticket. */
function tickets({ tickets: all, decision }: ReviewReport): Section {
  const isAsked = decision === 'needs-approval' || decision === 'forbidden';
  return {
    title: 'Tickets (tag of the stack, not of a change)',
    columns: ['stack', 'base', 'head'],
    rows: isAsked ? all.map(compared) : [],
  };
}

function digests({ digests: all }: ReviewReport): Section {
  return {
    title: 'Digests of what Terraform opens',
    columns: ['stack', 'base', 'head'],
    rows: all.map(compared),
  };
}

function compared({ stack, base, head }: ReviewReport['digests'][number]): string[] {
  const isSame = head === base && head !== undefined;
  return [stack, base ?? 'none', isSame ? 'the same' : (head ?? 'none')];
}
