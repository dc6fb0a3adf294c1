import { CODES, type Code, casesOf, EXIT, factsOf } from '../src/codes/codes.js';

/** The reference of all codes, as Markdown. */
export function codesReference(): string {
  const codes = (Object.keys(CODES) as Code[]).sort((a, b) => factsOf(a).exit - factsOf(b).exit);
  return [
    '# Codes',
    '',
    'These are the codes that the check and the commands can report. `secure-connectivity explain CODE` prints one, and `secure-connectivity explain 12` what ends with exit status 12. The exit status is that of the command that reports the code; `verify` ends with that of the stage that fails, whatever the code, and with that of the code only where it is above 18. `retry` says whether trying again can help, as `verify --wait` does. This page is generated.',
    '',
    '| code | meaning | exit | retry | cause | remedy |',
    '| --- | --- | --- | --- | --- | --- |',
    ...codes.map(row),
    '',
  ].join('\n');
}

function row(code: Code): string {
  const { title, cause, remedy, inspect, isRetryable, exit } = factsOf(code);
  const status = exit === EXIT.strictWarning ? '21 with `--strict`' : String(exit);
  const whole = inspect === undefined ? remedy : `${remedy} Inspect ${inspect}.`;
  const said = ({ name, text }: Record<'name' | 'text', string>) =>
    name === 'exit' ? `Exit status ${text}.` : text;
  const cases = casesOf(code).map(({ seen, texts }) => `**${seen}**: ${texts.map(said).join(' ')}`);
  const remedies = [whole, ...cases].join(' ');
  const cells = [`\`${code}\``, title, status, isRetryable ? 'yes' : 'no', cause, remedies];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
