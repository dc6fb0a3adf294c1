import { createHash } from 'node:crypto';
import type { LinkResult, Verification } from '../model/verification.js';
import { type PluginRow, pluginRows } from './connections.js';
import { causeRemedy, codeTitle } from './diagnosis-text.js';
import { textReport } from './text.js';

/** The gravest first. */
const KINDS = ['error', 'warning', 'notice'] as const;

interface Annotation {
  readonly kind: (typeof KINDS)[number];
  readonly title: string;
  readonly message: string;
}

/**
 * For the log of a GitHub Actions step: the text report, and an annotation for each cause, each
 * lost connection, each server of a plugin that is not healthy and each warning. The first cause of
 * a link is an error, because the link has failed; another one that the evidence does not prove is
 * a notice, because only the first ten annotations of a kind are shown.
 */
export function githubReport(verification: Verification): string {
  const ofLinks = verification.links.flatMap((link) => [
    ...link.causes.map((cause, i): Annotation => {
      const { code, text, evidence, inspect, certainty } = cause;
      return {
        kind: i > 0 && certainty === 'consistent' ? 'notice' : 'error',
        title: `${link.name}: ${code}: ${codeTitle(code)}`,
        message: [
          text,
          causeRemedy(cause),
          inspect && `Inspect: ${inspect}`,
          evidence && `Evidence: ${evidence}`,
        ]
          .filter(Boolean)
          .join('\n'),
      };
    }),
    ...listWarnings(link),
  ]);
  const commands = [...ofLinks, ...pluginRows(verification).flatMap(lost)]
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
    .map(command);
  return `${inert(textReport(verification))}${commands.join('')}`;
}

function lost({ name, path, state, code }: PluginRow): Annotation[] {
  if (code === undefined) return [];
  const message = [state, path, causeRemedy({ code })];
  return [
    { kind: 'error', title: `${name}: ${code}: ${codeTitle(code)}`, message: message.join('\n') },
  ];
}

function listWarnings({ name, stages }: LinkResult): Annotation[] {
  return stages
    .filter(({ status }) => status === 'warned')
    .map(({ code = '', cause = '', remedy = '' }) => ({
      kind: 'warning',
      title: `${name}: ${code}: ${codeTitle(code)}`,
      message: `${cause}\n${remedy}`,
    }));
}

function command({ kind, title, message }: Annotation): string {
  return `::${kind} title=${escapeProperty(title)}::${escapeData(message)}\n`;
}

/** Keeps whatever looks like a command in the text, say in what a server said, from being obeyed. */
function inert(text: string): string {
  const token = createHash('sha256').update(text).digest('hex');
  return `::stop-commands::${token}\n${text}::${token}::\n`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
