import { createHash } from 'node:crypto';
import { type Explained, titleOf } from '../../codes/stated.js';
import type { LinkResult, Verification } from '../model/verification.js';
import { pluginRows } from './connections.js';
import { causeRemedy } from './diagnosis-text.js';
import { textReport } from './text.js';

/** The gravest first. */
const KINDS = ['error', 'warning', 'notice'] as const;

/**
 * Writes the log of a GitHub Actions step: the text report, and an annotation for each cause, each
 * lost connection, each server of a plugin that is not healthy and each warning. The first cause of
 * a link is an error, because the link has failed; another one that the evidence does not prove is
 * a notice, because only the first ten annotations of a kind are shown.
 */
export function githubReport(verification: Verification): string {
  const annotations = [
    ...verification.links.flatMap(linkAnnotations),
    ...pluginRows(verification).flatMap(({ name, path, state, code }) =>
      code === undefined
        ? []
        : annotation('error', name, { code }, state, path, causeRemedy({ code })),
    ),
  ];
  const commands = KINDS.flatMap((kind) => annotations.filter((one) => one.kind === kind));
  const text = inert(textReport(verification));
  return `${text}${commands.map(({ command }) => command).join('')}`;
}

function linkAnnotations({ name, causes, stages }: LinkResult) {
  const warned = stages.filter(({ status }) => status === 'warned');
  return [
    ...causes.map((cause, i) => {
      const { text, evidence = '', inspect = '', certainty } = cause;
      const kind = i > 0 && certainty === 'consistent' ? 'notice' : 'error';
      const more = [inspect && `Inspect: ${inspect}`, evidence && `Evidence: ${evidence}`];
      const lines = [text, causeRemedy(cause), ...more].filter((line) => line !== '');
      return annotation(kind, name, cause, ...lines);
    }),
    ...warned.map(({ code = '', evidence, cause = '', remedy = '' }) =>
      annotation('warning', name, { code, evidence }, cause, remedy),
    ),
  ];
}

function annotation(
  kind: (typeof KINDS)[number],
  name: string,
  stated: Explained,
  ...lines: readonly string[]
) {
  const title = escapeProperty(`${name}: ${stated.code}: ${titleOf(stated)}`);
  return { kind, command: `::${kind} title=${title}::${escapeData(lines.join('\n'))}\n` };
}

/** Keeps whatever looks like a command in the text, say in what a server said, from being obeyed. */
export function inert(text: string): string {
  const token = createHash('sha256').update(text).digest('hex');
  return `::stop-commands::${token}\n${text}::${token}::\n`;
}

/** Writes JSON of the same value in which no line holds the beginning of a command: `::` or `##`. */
export function inertJson(json: string): string {
  return json.replaceAll(/::|##/g, ([first = '']) => `${first}${JSON_ESCAPES[first]}`);
}

const JSON_ESCAPES: Readonly<Record<string, string>> = { ':': '\\u003a', '#': '\\u0023' };

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
