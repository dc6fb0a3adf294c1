import { factsOf, isCode } from '../../codes/codes.js';
import { type Explained, reasonText, titleOf } from '../../codes/stated.js';
import { alignColumns } from '../../lists/align-columns.js';
import { counted } from '../../lists/counted.js';
import { groupBy, type NonEmpty } from '../../lists/group-by.js';
import { vantagePointTable } from '../model/failure-patterns.js';
import { firstFailure } from '../model/findings.js';
import type {
  Cause,
  Finding,
  LinkResult,
  ProbeResult,
  Verification,
} from '../model/verification.js';
import { inShort } from './stage-facts.js';
import { hanging, labelled, type TextOptions } from './text-layout.js';

/**
 * Names the first failing stage of a link, its likeliest cause and the remedy; empty if it does not
 * fail.
 */
export function leadText({ stages, causes }: LinkResult, options: TextOptions): string[] {
  const broken = firstFailure(stages);
  if (broken === undefined) return [];
  const { stage, code, evidence } = broken;
  const { style, width } = options;
  const where = causes[0]?.code === code ? stage : `${stage} with ${reasonText(broken)}`;
  return [
    hanging('  failed at ', where, width, `  ${style('failed', 'failed')} at `),
    // What is wrong with what was given, its message alone says.
    ...causeLines(causes[0] ?? toCause(broken), options, stage === GIVEN && evidence.error),
    '',
  ];
}

/** The stage that judges what the user gave; its message stands in the lead of a link. */
export const GIVEN = 'preflight';

/**
 * Describes the rest of a link's diagnosis, after its stages: in a line each what else is possible and what warns; all
 * of it where all is asked for. A warning of a link that does not fail is described whole.
 */
export function diagnosisText(link: LinkResult, options: TextOptions): string[] {
  const { causes, ruledOut, stages, probes = [] } = link;
  const warned = stages.filter(({ status }) => status === 'warned');
  // One for each code and cause, whatever the number of addresses.
  const warnings = [
    ...groupBy(warned, ({ stage, code, cause }) => JSON.stringify([stage, code, cause])).values(),
  ];
  const [, ...others] = causes;
  const isShort = !options.isVerbose;
  if (isShort && firstFailure(stages) !== undefined) {
    const possible = others.map((one) => lineOf('also possible', one, options));
    const more = [
      ...(probes.length > 0 ? [counted(probes.length, 'try', 'tries')] : []),
      ...(ruledOut.length > 0 ? [`what is ruled out (${ruledOut.length})`] : []),
      ...(others.length > 0 ? ['the other causes in full'] : []),
    ];
    const told = more.length === 0 ? [] : [`  with --verbose: ${more.join(', ')}`];
    const warnedOf = warnings.map(([one]) => lineOf('warned', { code: '', ...one }, options));
    return [...block([...possible, ...warnedOf, ...told])];
  }
  return [
    ...block(isShort ? [] : probes.map((probe) => probeText(probe, options))),
    ...others.flatMap((cause) => ['', ...causeLines(cause, options)]),
    ...warnings.flatMap((group) => ['', ...warningLines(group, options)]),
    ...block(
      isShort
        ? []
        : ruledOut.map((out) => hanging('  ruled out: ', ruledOutText(out), options.width)),
    ),
  ];
}

function lineOf(what: string, stated: Explained, { width }: TextOptions): string {
  return hanging(`  ${what}: `, `${titleOf(stated)} (${stated.code})`, width);
}

function block(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

function probeText(probe: ProbeResult, options: TextOptions): string {
  const { verb, what, outcome } = probeWords(probe);
  return labelled(verb, 'strong', `${what}: ${outcome}`, options);
}

/** Describes a finding by itself, if nothing has looked into it. */
function toCause({ code = '', cause = '', remedy = '' }: Finding): Cause {
  return { code, text: cause, remedy, evidence: '' };
}

function causeLines(
  cause: Cause,
  options: TextOptions,
  message: Finding['evidence'][string] | false = false,
): string[] {
  const { text, evidence, certainty, inspect = '' } = cause;
  return codeBlock(cause, 'failed', options, [
    ['cause', text],
    // Without a certainty the evidence is that of the stage, whose line has it already.
    ['because', certainty === undefined ? String(message || '') : evidence],
    ['remedy', causeRemedy(cause)],
    ['inspect', inspect],
  ]);
}

function warningLines(group: NonEmpty<Finding>, options: TextOptions): string[] {
  const [{ code = '', evidence, cause = '', remedy = '' }] = group;
  const addresses = group.flatMap(({ address }) => address ?? []);
  return codeBlock({ code, evidence }, 'warned', options, [
    ['cause', cause],
    ['at', addresses.length > 1 ? addresses.join(', ') : ''],
    ['remedy', remedy],
  ]);
}

function codeBlock(
  stated: Explained,
  as: Finding['status'],
  { style, width }: TextOptions,
  facts: readonly (readonly [string, string])[],
): string[] {
  return [
    hanging(`  ${stated.code}: `, titleOf(stated), width, `  ${style(stated.code, as)}: `),
    ...facts
      .filter(([, value]) => value !== '')
      .map(([name, value]) => hanging(`    ${name.padEnd(7)} `, value, width)),
  ];
}

export function ruledOutText({ text, evidence }: LinkResult['ruledOut'][number]): string {
  return `${text} (${evidence})`;
}

export function causeRemedy({ code, remedy }: Pick<Cause, 'code' | 'remedy'>): string {
  return remedy ?? (isCode(code) ? factsOf(code).remedy : '');
}

/**
 * Describes what a probe did and its result, in words; not every probe is a try that works or fails. The
 * verb is `seen` where nothing was sent.
 */
export function probeWords(probe: ProbeResult) {
  const { name, changed, ok, evidence } = probe;
  const { inside, own, networks, skewMs, answers, addresses, httpStatus } = evidence;
  const how = reasonText(probe) ?? (httpStatus && `HTTP ${httpStatus}`);
  const tried = (works: string, what = `${name} ${changed}`, didWork = ok) => {
    const outcome = didWork ? works : `fails${how === undefined ? '' : ` with ${how}`}`;
    return { verb: 'tried', what, outcome };
  };
  switch (name) {
    case 'own-address': {
      const outcome = ok ? `${inside}, in ${networks}` : `${own}, not in ${networks}`;
      return { verb: 'seen', what: `${name} ${changed}`, outcome };
    }
    case 'clock':
      return tried(`clock skew ${skewMs} ms`, undefined, typeof skewMs === 'number');
    case 'same-resolver':
      return tried(`answers ${inShort(answers)}`, `resolver ${changed} again`, true);
    case 'server-time':
      return tried('accepted');
    case 'resolver':
      return tried(`answers ${inShort(addresses)}`);
    case 'first-bytes':
      return ok && evidence.says !== undefined ? tried(`answers ${evidence.says}`) : tried('works');
    case 'server-name':
      return tried('works', changed === 'none' ? 'no server name' : undefined);
    default:
      return tried('works');
  }
}

/** The table of vantage points, and what the failures in it have in common. */
export function vantagePointsText(
  verification: Verification,
  { style, width }: TextOptions,
): string[] {
  const table = vantagePointTable(verification);
  if (table.length === 0) return [];
  const { patterns = [] } = verification;
  const shown = `${style('pattern', 'strong')}  `;
  return [
    ...alignColumns(table),
    ...block(patterns.map(({ text }) => hanging('pattern  ', text, width, shown))),
    '',
  ];
}
