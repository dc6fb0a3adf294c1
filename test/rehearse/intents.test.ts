import { expect, test } from 'vitest';
import type { TreeIntents } from '../../src/intents/intents-file.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { makeFindings } from '../../src/rehearse/report/findings.js';
import { intentNotes } from '../../src/rehearse/timeline/intents.js';
import { Recorder, withoutTasks } from '../../src/rehearse/timeline/recorder.js';
import { makeAccount } from '../../src/rehearse/timeline/timeline.js';
import { Cloud } from '../../src/sandbox/cloud/cloud.js';
import { SANDBOX_SERVICE } from '../../src/sandbox/surroundings.js';
import { buildNetwork, ENDPOINT, endpointInput, GROUP, rule } from '../sandbox/support.js';
import { expectLaneAnswers } from '../support/lane-answers.js';
import { NOTHING_UNDERSTOOD } from './understood.js';

const RULE = {
  via: 'service-endpoint',
  direction: 'ingress' as const,
  subject: 'agent-service',
  peer: { kind: 'cidr', cidr: '10.20.0.0/16' },
  protocol: 'tcp',
  ports: { first: 443, last: 443 },
  reason: 'clients',
  carriers: ['volcenginecc_vpc_security_group.callers'],
};

const FILE: TreeIntents = {
  environment: 'live',
  intents: [
    {
      name: 'nobody else does',
      from: { not: ['10.20.0.0/16'] },
      to: 'service-endpoint',
      expect: 'closed',
    },
    {
      name: 'ours do',
      from: '10.20.0.0/16',
      to: 'service-endpoint',
      port: 443,
      expect: 'reachable',
    },
    {
      ...{ from: 'internet', to: 'service-endpoint', expect: 'closed' },
      name: 'elsewhere',
      environments: ['test'],
    },
  ],
};

/** A passage in which the group has each of these rules in turn, and the endpoint may go in the end. */
function passage(rules: readonly (readonly ReturnType<typeof rule>[])[], isGone = false) {
  const recorder: Recorder = new Recorder(() => cloud.state);
  const cloud: Cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const network = buildNetwork(cloud);
  const id = cloud.create(ENDPOINT, endpointInput(network, { EndpointName: 'agent-service-1a' }));
  recorder.take();
  const before = withoutTasks(cloud.state);
  for (const [i, value] of rules.entries()) {
    const patch = [{ op: 'replace', path: '/IngressPermissions', value: [...value] }];
    cloud.startUpdate(GROUP, network.group, patch as never, `step-${i}`);
  }
  if (isGone) cloud.startDelete(ENDPOINT, id, '');
  const stack = {
    name: 'api',
    folder: '',
    terraform: readTerraform({}),
    access: { schema: '', stack: 'api', digest: '', rules: [RULE] },
    understood: NOTHING_UNDERSTOOD,
    intents: FILE,
  };
  const addresses = new Map([[network.group, 'volcenginecc_vpc_security_group.callers']]);
  const links = { before: new Map(), after: new Map() };
  const steps = recorder.take().map((step) => ({ ...step, stack: 'api' }));
  const trees = [[stack]];
  const held = [stack];
  const account = makeAccount({
    before,
    steps,
    links,
    addresses,
    trees,
    held,
    service: SANDBOX_SERVICE,
  });
  const { intents: asked } = expectLaneAnswers(account);
  const findings = makeFindings(account, held).filter(({ what }) =>
    FILE.intents.some(({ name }) => name === what),
  );
  return { account, asked, findings, notes: account.intents.flatMap(intentNotes) };
}

const OTHERS = rule({ CidrIp: '10.9.0.0/16' });

test('an intent is judged at each step, and named from the step that breaks it until the one that mends it', () => {
  const { account, asked, findings } = passage([
    [rule({ Description: 'a' })],
    [rule(), OTHERS],
    [rule(), OTHERS, rule({ CidrIp: '10.8.0.0/16' })],
    [rule()],
  ]);
  expect(findings).toMatchObject([
    {
      kind: 'intent',
      text: '"nobody else does" is broken from step 2 to 4: 10.9.0.1 → agent-service:443',
      from: 2,
      until: 4,
    },
  ]);
  expect(
    account.lanes.filter(({ kind }) => kind === 'intent').map(({ name, states }) => [name, states]),
  ).toEqual([
    ['"nobody else does"', ['holds', 'holds', 'broken', 'broken', 'holds']],
    ['"ours do"', ['holds', 'holds', 'holds', 'holds', 'holds']],
  ]);
  expect(asked, 'packets that reach was asked about').toBe(2);
  const effects = account.steps.map((step) =>
    step.effects.filter(({ kind }) => kind.startsWith('intent')),
  );
  expect(effects.map((all) => all.map(({ text }) => text))).toEqual([
    [],
    [
      expect.stringMatching(
        /^"nobody else does" is broken: 10\.9\.0\.1 → agent-service:443, let through by volcenginecc_vpc_security_group\.callers/,
      ),
    ],
    [],
    ['"nobody else does" holds again'],
  ]);
});

test('one that the deploy leaves broken is a failure, and a way that must be open is named where it closes', () => {
  const { findings } = passage([[rule({ PortStart: 80, PortEnd: 80 })], [rule(), OTHERS]]);
  expect(findings.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'failure: "nobody else does" is broken from step 2 on: 10.9.0.1 → agent-service:443',
    expect.stringMatching(
      /^intent: "ours do" is broken from step 1 to 2: 10\.20\.0\.1 → agent-service:443$/,
    ),
  ]);
});

test('where nothing is there, nothing is open, and what must be open is not decided', () => {
  const { account, findings, notes } = passage([[rule(), OTHERS]], true);
  expect(account.intents.map(({ answers }) => answers.at(-1)?.verdict)).toEqual([
    'holds',
    'undecided',
  ]);
  expect(findings.map(({ from, until }) => [from, until])).toEqual([[1, 2]]);
  expect(notes).toEqual([
    'from step 2 on, "ours do" is not decided; it depends on: nothing is there at this moment',
  ]);
});
