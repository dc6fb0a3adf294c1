import { expect, test } from 'vitest';
import { githubReport } from '../../../src/verify/reports/github.js';
import { GOOD, HOSTILE_LINK, MIXED, verificationOf } from './samples.js';

interface Command {
  readonly name: string;
  readonly title: string;
  readonly message: string;
}

/** Obeys the log as the runner does. */
function obey(log: string): { commands: Command[]; text: string } {
  const commands: Command[] = [];
  const text: string[] = [];
  let stopped: string | undefined;
  for (const line of log.split(/\r\n|\n|\r/)) {
    const [, name = '', properties = '', message = ''] =
      /^\s*::([\w-]+)(?: ([^:]*))?::(.*)$/.exec(line) ?? [];
    const hasOldCommand = line.includes('##[');
    if (stopped !== undefined) {
      if (name === stopped) stopped = undefined;
      else text.push(line);
    } else if (name === 'stop-commands') stopped = message;
    else if (name !== '') {
      const title = properties.replace(/^title=/, '');
      commands.push({ name, title: decode(title), message: decode(message) });
    } else if (line !== '' || hasOldCommand) throw new Error(`text outside: ${line}`);
  }
  expect(stopped).toBeUndefined();
  return { commands, text: text.join('\n') };
}

function decode(text: string): string {
  return text
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%0A', '\n')
    .replaceAll('%0D', '\r')
    .replaceAll('%25', '%');
}

test('the first cause of a link is an error, another that is not certain a notice', () => {
  const { commands } = obey(githubReport(MIXED));
  expect(commands.map(({ name, title }) => `${name} ${title}`)).toEqual([
    'error half-dead: tcp.timeout: The connection attempt gets no answer',
    'error no-name: dns.not-found: The name does not resolve',
    'warning half-dead: host.clock: This machine’s clock and the server’s differ',
    'notice half-dead: address.unexpected: The name resolves to an unexpected address',
  ]);
  expect(commands[0]?.message.split('\n')).toEqual([
    'Consistent with a closed security group in zone B, or a zone that is not connected.',
    'Allow inbound TCP 443 from this network in the endpoint’s security group.',
    'Inspect: The zone’s connection status at the endpoint.',
    'Evidence: address=10.1.2.4, port=443; 10.1.2.3 passed',
  ]);
});

test('the text report is in the log, and a good check annotates nothing', () => {
  const { commands, text } = obey(githubReport(GOOD));
  expect(commands).toEqual([]);
  expect(text).toMatch(/passed {3}8 stages/);
});

test('a command in what a server said is not obeyed', () => {
  const { commands } = obey(githubReport(verificationOf(HOSTILE_LINK)));
  expect(commands.map(({ name }) => name)).toEqual(['error', 'warning']);
  expect(commands[0]?.message).toContain('::error::pwn\r\n##[add-mask]x');
  expect(commands[0]?.message).toContain('%0A\n');
});
