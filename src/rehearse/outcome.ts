import { EXIT } from '../codes/codes.js';
import { SILENT_CLOUD } from '../sandbox/provider/cloud/cloud-control-client.js';
import { decideOutcome, summarize } from './report/headline.js';
import {
  type CheckResult,
  REACHABLE,
  REHEARSAL_SCHEMA,
  type RehearsalFinding,
  type RehearsalReport,
  type ReplanResult,
} from './report-schema.js';
import { laneKey } from './ways/clients.js';

/** 0 clean, 3 where clients notice something, 4 where something fails, 5 without a verdict. */
export function rehearsalExit({ outcome }: Pick<RehearsalReport, 'outcome'>): number {
  if (outcome === 'no-verdict') return EXIT.undecided;
  if (outcome === 'failed') return EXIT.forbidden;
  return outcome === 'noticed' ? EXIT.needsApproval : 0;
}

export const NOT_CHECKED: CheckResult = { status: 'skipped', links: [] };
export const NOT_REPLANNED: ReplanResult = { status: 'skipped', changes: [] };

/** The part of a report on one deploy over another. */
export interface Moved extends Pick<RehearsalReport['head'], 'deploy' | 'check' | 'replan'> {
  readonly timeline: RehearsalReport['head']['timeline'];
  readonly replaced: RehearsalReport['replaced'];
  readonly findings: readonly RehearsalFinding[];
  /** The keys of links and plugins of which it is in doubt whether they are closed in the end. */
  readonly inDoubt: readonly string[];
}

const NOTHING: Moved = {
  deploy: { status: 'skipped', errors: [] },
  check: NOT_CHECKED,
  replan: NOT_REPLANNED,
  timeline: { steps: [], lanes: [] },
  replaced: [],
  findings: [],
  inDoubt: [],
};

/** The parts of a report that do not come of its course. */
export type Frame = 'network' | 'trees' | 'startedAt';

/** The course of a rehearsal; a base that cannot be deployed leaves nothing to rehearse. */
interface Course {
  readonly base: RehearsalReport['base'];
  readonly there?: Moved;
  readonly back?: Moved | undefined;
  readonly destroy?: RehearsalReport['destroy'];
  /** True where stand-ins of the providers run, which serve fewer types. */
  readonly hasStandIns: boolean;
}

export function makeReport(course: Course, notes: string[]): Omit<RehearsalReport, Frame> {
  const { base, there = NOTHING, back = NOTHING } = course;
  const limit = findLimit(course);
  // A deploy that the sandbox has stopped shows neither what clients notice nor what works.
  const findings = limit === undefined ? [...there.findings, ...failures(course)] : [];
  return {
    schema: REHEARSAL_SCHEMA,
    outcome: limit === undefined ? decideOutcome(findings) : 'no-verdict',
    summary: limit ?? summarize(findings, there.timeline.steps.length),
    findings,
    base,
    head: toParts(there),
    rollback: { ...toParts(back), findings: limit === undefined ? [...back.findings] : [] },
    destroy: course.destroy ?? { deploy: NOTHING.deploy, left: [] },
    replaced: there.replaced,
    notes,
  };
}

function toParts({ deploy, check, replan, timeline }: Moved) {
  return { deploy, check, replan, timeline };
}

/** Finds what is the sandbox's, and not the cloud's: that it fails, or does not emulate what a deploy asks for. */
function findLimit({ base, there, back, destroy, hasStandIns }: Course): string | undefined {
  const deploys = [base, there, back, destroy].flatMap((one) => one?.deploy.errors ?? []);
  const plans = [there, back].flatMap((one) => one?.replan.changes ?? []);
  const failure = [...deploys, ...plans].find((error) => SILENT_CLOUD.test(error));
  if (failure !== undefined)
    return `NO VERDICT: the sandbox itself failed, rehearse again: ${failure}`;
  const limit = deploys.find(
    (error) => UNSUPPORTED.test(error) || (hasStandIns && NOT_SERVED.test(error)),
  );
  return limit && `NO VERDICT: the sandbox does not emulate what a deploy asks for: ${limit}`;
}

const UNSUPPORTED = / Unsupported\w+: /;
const NOT_SERVED = /Invalid (?:resource type|data source): The provider \S+ does not support /;

const DO = 'do what the message says';

/** Returns what of the whole course did not work. */
function failures({ base, there = NOTHING, back = NOTHING, destroy }: Course): RehearsalFinding[] {
  const all: RehearsalFinding[] = [];
  const fail = (what: string, text: string, remedy: string) => {
    all.push({ kind: 'failure', stack: '', what, text, remedy });
  };
  const broken = (name: string, { deploy, check, replan, inDoubt }: Moved) => {
    if (deploy.status === 'refused' || deploy.status === 'failed') {
      const how =
        deploy.status === 'refused' ? 'is refused, and nothing is changed' : 'fails midway';
      fail(name, `the ${name} ${how}: ${deploy.errors.join('; ')}`, DO);
    }
    // What fails before the change is the base's.
    const isOfBase = ({ stack, name, seen }: (typeof check.links)[number]) =>
      base.check.links.some((one) => one.stack === stack && one.name === name && one.seen === seen);
    const isDecided = ({ stack, name }: (typeof check.links)[number]) =>
      !inDoubt.includes(laneKey(stack, name));
    const bad = check.links.filter(({ seen }) => seen !== REACHABLE);
    const failed = bad.filter((one) => !isOfBase(one) && isDecided(one));
    for (const { name: link, seen } of failed) {
      const remedy = `secure-connectivity explain ${seen}`;
      fail(name, `the check after the ${name} fails: ${link}: ${seen}`, remedy);
    }
    if (replan.status === 'failed') {
      const text = `a second plan of the ${name} is not empty: ${replan.changes.join(', ')}`;
      fail(name, text, 'give the attribute the value that the cloud has');
    }
  };
  if (base.deploy.status !== 'passed') {
    const text = `the base cannot be deployed in the sandbox: ${base.deploy.errors.join('; ')}`;
    fail('base', text, `${DO}; what exists beforehand is described with \`--with FILE\``);
  }
  broken('deploy', there);
  broken('rollback', back);
  if (destroy?.deploy.status === 'failed') {
    const text = `the destroy fails: ${destroy.deploy.errors.join('; ')}`;
    fail('destroy', text, DO);
  } else if (destroy !== undefined && destroy.left.length > 0) {
    const text = `the destroy leaves ${destroy.left.join(', ')}`;
    fail('destroy', text, 'delete it by hand after a destroy');
  }
  return all;
}
