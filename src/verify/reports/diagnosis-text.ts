import { factsOf, isCode } from '../../codes/codes.js';
import { vantagePointTable } from '../model/failure-patterns.js';
import { firstFailure } from '../model/findings.js';
import type {
  Cause,
  Change,
  Finding,
  LinkResult,
  ProbeResult,
  Verification,
} from '../model/verification.js';
import { describeChange } from './stage-facts.js';
import { hanging, labelled, type TextOptions } from './text-layout.js';

/** Where a link fails first, the likeliest cause and what to do; empty where it does not fail. */
export function leadText({ stages, causes }: LinkResult, options: TextOptions): string[] {
  const broken = firstFailure(stages);
  if (broken === undefined) return [];
  const { stage, code = '' } = broken;
  const { style, width } = options;
  const where = causes[0]?.code === code ? stage : `${stage} with ${code}`;
  return [
    hanging('  failed at ', where, width, `  ${style('failed', 'failed')} at `),
    ...causeLines(causes[0] ?? toCause(broken), options),
    '',
  ];
}

/** What else there is to say of a link, after its stages. */
export function diagnosisText(link: LinkResult, options: TextOptions): string[] {
  const { causes, ruledOut, stages, probes = [], changes = [] } = link;
  return [
    ...block(changes.map((change) => changeText(change, options))),
    ...block(probes.map((probe) => probeText(probe, options))),
    ...causes.slice(1).flatMap((cause) => ['', ...causeLines(cause, options)]),
    ...warnings(stages).flatMap((warning) => ['', ...warningLines(warning, options)]),
    ...block(ruledOut.map((out) => hanging('  ruled out: ', ruledOutText(out), options.width))),
  ];
}

function block(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

export function changeText(change: Change, options: TextOptions): string {
  return labelled('changed', 'warned', describeChange(change), options);
}

function probeText(probe: ProbeResult, options: TextOptions): string {
  const { verb, what, outcome } = probeWords(probe);
  return labelled(verb, 'strong', `${what}: ${outcome}`, options);
}

/** What a finding says by itself, where nothing has looked into it. */
function toCause({ code = '', cause = '', remedy = '' }: Finding): Cause {
  return { code, text: cause, remedy, evidence: '' };
}

function causeLines(cause: Cause, options: TextOptions): string[] {
  const { code, text, evidence, certainty, inspect = '' } = cause;
  return codeBlock(code, 'failed', options, [
    ['cause', text],
    // Without a certainty the evidence is that of the stage, whose line has it already.
    ['because', certainty === undefined ? '' : evidence],
    ['remedy', causeRemedy(cause)],
    ['inspect', inspect],
  ]);
}

interface Warning {
  readonly finding: Finding;
  readonly addresses: readonly string[];
}

/** One for each code and cause, whatever the number of addresses. */
function warnings(stages: readonly Finding[]): Warning[] {
  const found = new Map<string, Warning>();
  for (const finding of stages.filter(({ status }) => status === 'warned')) {
    const { stage, code, cause, address } = finding;
    const key = JSON.stringify([stage, code, cause]);
    const { addresses = [] } = found.get(key) ?? {};
    found.set(key, { finding, addresses: [...addresses, ...(address ? [address] : [])] });
  }
  return [...found.values()];
}

function warningLines({ finding, addresses }: Warning, options: TextOptions): string[] {
  const { code = '', cause = '', remedy = '' } = finding;
  return codeBlock(code, 'warned', options, [
    ['cause', cause],
    ['at', addresses.length > 1 ? addresses.join(', ') : ''],
    ['remedy', remedy],
  ]);
}

function codeBlock(
  code: string,
  as: Finding['status'],
  { style, width }: TextOptions,
  facts: readonly (readonly [string, string])[],
): string[] {
  return [
    hanging(`  ${code}: `, codeTitle(code), width, `  ${style(code, as)}: `),
    ...facts
      .filter(([, value]) => value !== '')
      .map(([name, value]) => hanging(`    ${name.padEnd(7)} `, value, width)),
  ];
}

export function ruledOutText({ text, evidence }: LinkResult['ruledOut'][number]): string {
  return `${text} (${evidence})`;
}

export function codeTitle(code: string): string {
  return isCode(code) ? factsOf(code).title : code;
}

export function causeRemedy({ code, remedy }: Pick<Cause, 'code' | 'remedy'>): string {
  return remedy ?? (isCode(code) ? factsOf(code).remedy : '');
}

interface ProbeWords {
  /** `seen` where nothing was sent. */
  readonly verb: 'tried' | 'seen';
  readonly what: string;
  readonly outcome: string;
}

/** What a probe did and what came of it, in words; not every probe is a try that works or fails. */
export function probeWords(probe: ProbeResult): ProbeWords {
  const { name, changed, ok, code, evidence } = probe;
  const what = `${name} ${changed}`;
  const failure = `fails${code === undefined ? '' : ` with ${code}`}`;
  const tried = (outcome: string, of = what): ProbeWords => {
    return { verb: 'tried', what: of, outcome: ok ? outcome : failure };
  };
  const { inside, own, networks, skewMs } = evidence;
  switch (name) {
    case 'own-address': {
      const outcome = ok ? `${inside}, in ${networks}` : `${own}, not in ${networks}`;
      return { verb: 'seen', what, outcome };
    }
    case 'clock': {
      const outcome = typeof skewMs === 'number' ? `clock skew ${skewMs} ms` : failure;
      return { verb: 'tried', what, outcome };
    }
    case 'same-resolver': {
      const outcome = `answers ${evidence.answers}`;
      return { verb: 'tried', what: `resolver ${changed} again`, outcome };
    }
    case 'server-time':
      return tried('accepted');
    case 'resolver':
      return tried(`answers ${evidence.addresses}`);
    case 'server-name':
      return tried('works', changed === 'none' ? 'no server name' : what);
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
  const widths = (table[0] ?? []).map((_, i) =>
    Math.max(...table.map((row) => row[i]?.length ?? 0)),
  );
  const rows = table.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const { patterns = [] } = verification;
  return [
    ...rows,
    '',
    ...patterns.map(({ text }) =>
      hanging('pattern  ', text, width, `${style('pattern', 'strong')}  `),
    ),
    ...(patterns.length > 0 ? [''] : []),
  ];
}
