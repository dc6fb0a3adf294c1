import { factsOf, isCode } from '../../codes/codes.js';
import type { Cause, Change, Finding, LinkResult, ProbeResult } from '../verification.js';
import { probeWords } from './probe-words.js';
import type { TextStyle } from './text-style.js';
import { toldChange } from './told.js';

/** Why a link failed or was warned of, what it is not, and what else was tried; in lines. */
export function diagnosisText(link: LinkResult, style: TextStyle): string[] {
  const { causes, ruledOut, stages, probes = [], changes = [] } = link;
  return [
    ...block(changes.map((change) => changeText(change, style))),
    ...block(probes.map((probe) => probeText(probe, style))),
    ...causes.map((cause) => causeText(cause, style)),
    ...stages.filter(({ status }) => status === 'warned').map((one) => warningText(one, style)),
    ...block(ruledOut.map(({ text, evidence }) => `  it is not ${text} (${evidence})`)),
  ];
}

function block(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', ...lines];
}

export function changeText(change: Change, style: TextStyle): string {
  return `  ${style('changed', 'warned')}  ${toldChange(change)}`;
}

function probeText(probe: ProbeResult, style: TextStyle): string {
  const { verb, what, outcome } = probeWords(probe);
  return `  ${style(verb, 'strong')}${' '.repeat(9 - verb.length)}${what}: ${outcome}`;
}

function causeText(cause: Cause, style: TextStyle): string {
  const { code, text, evidence, certainty, look = '' } = cause;
  return told(style(code, 'failed'), code, [
    ['cause', text],
    // Without a certainty the evidence is that of the stage, whose line tells it already.
    ['because', certainty === undefined ? '' : evidence],
    ['remedy', remedyOf(cause)],
    ['look', look],
  ]);
}

function warningText({ code = '', cause = '', remedy = '' }: Finding, style: TextStyle): string {
  return told(style(code, 'warned'), code, [
    ['cause', cause],
    ['remedy', remedy],
  ]);
}

function told(head: string, code: string, facts: readonly (readonly [string, string])[]): string {
  const lines = facts
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `    ${name.padEnd(7)} ${value}`);
  return ['', `  ${head}: ${titleOf(code)}`, ...lines].join('\n');
}

export function titleOf(code: string): string {
  return isCode(code) ? factsOf(code).title : code;
}

export function remedyOf({ code, remedy }: Pick<Cause, 'code' | 'remedy'>): string {
  return remedy ?? (isCode(code) ? factsOf(code).remedy : '');
}
