import { Command } from 'commander';
import { CODES, EXIT, factsOf, isCode, nearCodes } from '../codes/codes.js';
import { usageError } from '../codes/connectivity-error.js';
import { parseArguments } from './program/arguments.js';

export default async function main(args: readonly string[]): Promise<number> {
  const command = new Command('secure-connectivity explain')
    .description(
      'Explains an error code and what to do about it; without a code, lists all of them.',
    )
    .argument('[code]');
  parseArguments(command, args);
  const [code] = command.args;
  process.stdout.write(code === undefined ? overview() : explanation(code));
  return 0;
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
    '',
  ].join('\n');
}

function overview(): string {
  const width = Math.max(...Object.keys(CODES).map((code) => code.length));
  return Object.entries(CODES)
    .map(([code, { title }]) => `${code.padEnd(width)}  ${title}\n`)
    .join('');
}
