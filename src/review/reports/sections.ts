import type { ReviewReport } from '../report-schema.js';

/** A part of a report: a table, or sentences. Reports differ only in how they print it. */
export interface Section {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows are steps: their order matters. */
  readonly isOrdered?: true;
  /** What the rows come to, where there are too many to print. */
  readonly totals?: readonly string[];
}

/** The parts that have something to say, the most urgent first. */
export function sectionsOf(report: ReviewReport): Section[] {
  return [
    forbidden(report),
    changes(report),
    reach(report),
    namedPeers(report),
    addressLists(report),
    disruptions(report),
    domains(report),
    steps(report),
    exceptions(report),
    { title: 'Notes', columns: [], rows: report.notes.map((note) => [note]) },
    digests(report),
  ].filter(({ rows }) => rows.length > 0);
}

/** `WIDENS 2 · NARROWS 1 · NEUTRAL 31`, with what is forbidden in front. */
export function verdictLine({ totals }: ReviewReport): string {
  const { forbidden: count, widens, narrows, neutral } = totals;
  const parts = [`WIDENS ${widens}`, `NARROWS ${narrows}`, `NEUTRAL ${neutral}`];
  return [...(count > 0 ? [`FORBIDDEN ${count}`] : []), ...parts].join(' · ');
}

function forbidden({ violations }: ReviewReport): Section {
  return {
    title: 'Forbidden',
    columns: ['stack', 'what', 'remedy', 'code'],
    rows: violations.map(({ stack, message, remedy, code }) => [stack, message, remedy, code]),
  };
}

function changes({ changes: all, digests: stacks }: ReviewReport): Section {
  return {
    title: 'Who may talk to whom',
    columns: ['change', 'option', 'direction', 'who', 'may talk to', 'port', 'was', 'now', 'why'],
    rows: all.map((change) => {
      const { effect, via, direction, peer, services, was, now, why, ticket } = change;
      const subject = stacks.length > 1 ? `${change.subject} (${change.stack})` : change.subject;
      const [who, whom] = direction === 'ingress' ? [peer, subject] : [subject, peer];
      const reason = ticket === undefined ? why : `${why} (${ticket})`;
      return [effect, via, direction, who, whom, services, was, now, reason];
    }),
    totals: totalsByOption(all),
  };
}

/** One sentence for each connection option. */
export function totalsByOption(all: ReviewReport['changes']): string[] {
  return [...new Set(all.map(({ via }) => via))].map((option) => {
    const count = (effect: string) =>
      all.filter((change) => change.via === option && change.effect === effect).length;
    return `${option}: widens ${count('widens')}, narrows ${count('narrows')}`;
  });
}

function reach({ reach: all }: ReviewReport): Section {
  return {
    title: 'Addresses',
    columns: ['subject', 'direction', 'was', 'now', 'newly reachable', 'no longer reachable'],
    rows: all.map(({ subject, stack, direction, family, was, now, ...change }) => [
      `${subject} (${stack}, IPv${family})`,
      direction,
      was,
      now,
      `+${change.newlyReachable}`,
      `−${change.noLongerReachable}`,
    ]),
  };
}

function namedPeers({ namedPeers: all }: ReviewReport): Section {
  return {
    title: 'Accounts, connections and groups',
    columns: ['change', 'kind', 'id', 'subject'],
    rows: all.map(({ effect, kind, name, subject, stack }) => [
      effect,
      kind === 'endpoint' ? 'connection' : kind,
      name,
      `${subject} (${stack})`,
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

function disruptions({ disruptions: all }: ReviewReport): Section {
  return {
    title: 'Connections cut and names changed',
    columns: ['resource', 'change', 'because of', 'what it means'],
    rows: all.map(({ resource, stack, action, because, effect, isRefused }) => [
      `${resource} (${stack})`,
      action,
      because.join(', '),
      isRefused ? `${effect}; Terraform refuses it while preventDestroy is set` : effect,
    ]),
  };
}

function domains({ domains: all }: ReviewReport): Section {
  return {
    title: 'Base URLs',
    columns: ['link', 'was', 'now'],
    rows: all.map(({ link, stack, was, now }) => [`${link} (${stack})`, was, now ?? 'gone']),
  };
}

/** The deploy stands between the steps before it and those after it. */
function steps({ steps: all }: ReviewReport): Section {
  const at = (when: string) => all.filter((step) => step.when === when).map(({ text }) => [text]);
  const rows = [...at('before the deploy'), ['Deploy.'], ...at('after the deploy')];
  return {
    title: 'Steps for a person, in this order',
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

function digests({ digests: all }: ReviewReport): Section {
  return {
    title: 'Digests of the access rules',
    columns: ['stack', 'base', 'head'],
    rows: all.map(({ stack, base, head }) => [
      stack,
      base ?? 'none',
      head === base ? (head === undefined ? 'none' : 'the same') : (head ?? 'none'),
    ]),
  };
}
