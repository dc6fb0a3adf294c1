import { CODES, casesOf, EXIT, factsOf, isCode, nearCodes } from '../codes/codes.js';
import { usageError } from '../codes/connectivity-error.js';
import { EXIT_MEANINGS } from '../codes/exit-status.js';
import { alignColumns } from '../lists/align-columns.js';
import { parseArguments } from './program/arguments.js';
import { newCommand } from './program/new-command.js';

export default async function main(args: readonly string[]): Promise<number> {
  const command = newCommand('explain').argument(
    '[code]',
    'such as tcp.timeout, or an exit status such as 12 (default: all codes)',
  );
  parseArguments(command, args);
  const [code] = command.args;
  if (code === undefined) process.stdout.write(`${table(Object.entries(CODES)).join('\n')}\n`);
  else if (/^\d{1,3}$/.test(code)) process.stdout.write(statusExplanation(Number(code)));
  else process.stdout.write(explanation(code));
  return 0;
}

function statusExplanation(status: number): string {
  const meanings = EXIT_MEANINGS.get(status);
  if (meanings === undefined) {
    const known = [...EXIT_MEANINGS.keys()].join(', ');
    throw usageError(`\`code\` must be an exit status of this program (${known}), got: ${status}`);
  }
  const codes = Object.entries(CODES).flatMap(([code, { exit, title }]): TableRow[] => {
    if (exit === status) return [[code, { title }]];
    // Words of what was seen can have a status of their own.
    const words = isCode(code) ? casesOf(code).filter((one) => one.exit === status) : [];
    return words.map((one) => [`${code}: ${one.seen}`, one]);
  });
  return [
    `exit status ${status}:`,
    ...meanings.map((meaning) => `  ${meaning}`),
    ...(codes.length === 0 ? [] : ['codes that end with it; `explain CODE` says what to do:']),
    ...table(codes).map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function explanation(text: string): string {
  if (!isCode(text)) {
    const near = nearCodes(text).map((code) => `\`${code}\``);
    throw usageError(
      `\`code\` must be one that \`secure-connectivity explain\` lists, got: "${text}"${near.length > 0 ? `; similar codes: ${near.join(', ')}` : ''}`,
    );
  }
  const { title, cause, remedy, inspect, isRetryable, exit } = factsOf(text);
  const retry = isRetryable
    ? 'yes, trying again can help; verify does so with --wait'
    : 'no, fix the cause first';
  return [
    `${text}: ${title}`,
    `  cause   ${cause}`,
    `  remedy  ${remedy}`,
    ...(inspect === undefined ? [] : [`  inspect ${inspect}`]),
    `  retry   ${retry}`,
    `  exit    ${exit}${exit === EXIT.strictWarning ? ' with --strict' : ''}`,
    ...casesOf(text).flatMap(({ seen, texts }) => [
      `  seen    ${seen}`,
      ...texts.map(({ name, text: fact }) => `    ${name.padEnd(7)} ${fact}`),
    ]),
    '',
  ].join('\n');
}

type TableRow = readonly [code: string, facts: { readonly title: string }];

function table(codes: readonly TableRow[]): string[] {
  return alignColumns(codes.map(([code, { title }]) => [code, title]));
}
