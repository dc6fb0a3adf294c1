import { expect, it } from 'vitest';
import { ownChecks } from '../../../src/sandbox/terraform/configuration.js';

const PROGRAM = ['/usr/bin/node', '/package/dist/cli/main.js'];
const CHECK = [
  ...['verify', '--links-from-environment', '--wait', '5s', '--report-only'],
  ...['--format', 'json=connectivity-check.json', '--title'],
];

function kept(step: object, labels: readonly string[] = ['null_resource', 'check']) {
  const body = { provisioner: [{ 'local-exec': [step] }] };
  return ownChecks({ kind: 'resource', labels, body }, PROGRAM, '/stack');
}

it("runs a stack's check with the program of the sandbox, and here", () => {
  const interpreter = ['node', '../evil/dist/cli/main.js', ...CHECK.slice(0, -1)];
  const step = { interpreter: [...interpreter, '--run-via', 'sh -c id', '--title'], command: 'a' };
  expect(kept(step)).toEqual([
    { 'local-exec': { interpreter: [...PROGRAM, ...CHECK], command: 'a', environment: {} } },
  ]);
});

it.each<[string, object, (readonly string[])?]>([
  ['another program', { interpreter: ['sh', '-c'], command: 'id' }],
  ['a command alone', { command: 'id' }],
  ['another command', { interpreter: ['secure-connectivity', 'token'], command: 'a' }],
  [
    'a report elsewhere',
    {
      interpreter: ['secure-connectivity', 'verify', '--format', 'json=/etc/passwd'],
      command: 'a',
    },
  ],
  [
    'a variable of another program',
    {
      interpreter: ['secure-connectivity', ...CHECK],
      command: 'a',
      environment: { NODE_OPTIONS: '--import /evil.mjs' },
    },
  ],
  [
    'a check of another resource',
    { interpreter: ['secure-connectivity', ...CHECK], command: 'a' },
    ['terraform_data', 'a'],
  ],
])('leaves out %s', (_, step, labels) => {
  expect(kept(step, labels)).toBeUndefined();
});
