import { expect, test } from 'vitest';
import { githubReport } from '../../../src/verify/reports/written.js';
import { GOOD, MIXED } from './samples.js';

function commandsOf(log: string): string[] {
  return log.split('\n').filter((line) => line.startsWith('::'));
}

test('the first cause of a link is an error, another that is not certain a notice', () => {
  const commands = commandsOf(githubReport(MIXED));
  expect(commands.map((one) => one.split('::')[1])).toEqual([
    'error title=half-dead%3A tcp.timeout%3A The connection attempt gets no answer',
    'error title=no-name%3A dns.not-found%3A The name does not resolve',
    'warning title=half-dead%3A host.clock%3A This machine’s clock and the server’s differ',
    'notice title=half-dead%3A address.unexpected%3A The name resolves to an unexpected address',
  ]);
  expect(commands[0]?.split('::')[2]?.split('%0A')).toEqual([
    'Consistent with a closed security group in zone B, or a zone that is not connected.',
    'Allow inbound TCP 443 from this network in the endpoint’s security group.',
    'Inspect: The zone’s connection status at the endpoint.',
    'Evidence: address=10.1.2.4, port=443; 10.1.2.3 passed',
    'service-endpoint  https://ep-1.example  (attempt 3)  unreachable in 10.1 s',
  ]);
});

test('the text report is in the log, and a good check annotates nothing', () => {
  const log = githubReport(GOOD);
  expect(commandsOf(log)).toEqual([]);
  expect(log).toMatch(/^reachable in [\s\S]*passed {3}8 stages/);
});
