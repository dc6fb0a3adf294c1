import { expect, test } from 'vitest';
import { otherFindings } from '../../../src/rehearse/orders/other-findings.js';
import { readGraph } from '../../../src/rehearse/orders/step-order.js';
import { withFindings } from '../../../src/rehearse/report/finding-lanes.js';
import { makeFindings } from '../../../src/rehearse/report/findings.js';
import { summarize } from '../../../src/rehearse/report/headline.js';
import type { Passage } from '../../../src/rehearse/timeline/account.js';
import { Recorder, withoutTasks } from '../../../src/rehearse/timeline/recorder.js';
import { makeAccount } from '../../../src/rehearse/timeline/timeline.js';
import { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import type { JsonObject } from '../../../src/sandbox/json.js';
import { SANDBOX_SERVICE } from '../../../src/sandbox/surroundings.js';
import {
  buildBalancer,
  buildNetwork,
  ENDPOINT,
  endpointInput,
  GROUP,
  PREFIX_LIST,
  rule,
  SERVERS,
} from '../../sandbox/support.js';
import { runs } from '../../support/samples.js';
import { compareOrders } from './brute-force.js';
import { graphOf } from './random-passage.js';

const recorder: Recorder = new Recorder(() => cloud.state);
let cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });

const NOTHING = new Map<string, never>();
const backendGroups = new Map<string, string>();

/** The findings of changes in a cloud, each of which waits for others. */
function findingsOf(
  make: () => readonly (() => void)[],
  { waits = [] as number[][], graph = undefined as string | undefined } = {},
) {
  cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const changes = make();
  const before = withoutTasks(cloud.state);
  recorder.take();
  for (const change of changes) change();
  const steps = recorder.take().map((step) => ({ ...step, stack: 'api' }));
  const passage: Passage = {
    ...{ before, steps, links: { before: NOTHING, after: NOTHING }, trees: [] },
    ...{ service: { ...SANDBOX_SERVICE, backendGroups }, ...graphOf(steps, waits) },
    ...(graph !== undefined && { graphs: new Map([['api', graph]]) }),
  };
  const account = makeAccount(passage);
  const findingsOf = (one: Passage) => makeFindings(makeAccount(one), []);
  const own = findingsOf(passage);
  const others = otherFindings(passage, { steps: account.steps, findings: own, findingsOf });
  const findings = [...own, ...others];
  return { account, findings, summary: summarize(findings, steps.length) };
}

function setRules(group: string, rules: readonly JsonObject[]) {
  const value = rules as JsonObject[];
  return () => {
    cloud.startUpdate(GROUP, group, [{ op: 'add', path: '/IngressPermissions', value }], '');
  };
}

const letIn = (...ports: readonly number[]) => [
  rule(),
  ...ports.map((port) => rule({ CidrIp: '100.64.0.0/10', PortStart: port, PortEnd: port })),
];

/** A server that also listens on another port, and the rule for that. */
function addPort(order: (servers: () => void, group: () => void) => (() => void)[]) {
  return () => {
    const { balancer, servers, group } = buildBalancer(cloud);
    backendGroups.set(balancer, group);
    const server = { InstanceId: '10.20.1.10', Ip: '10.20.1.10', Type: 'ip', Weight: 100 };
    const value = [8080, 8081].map((Port) => ({ ...server, Port }));
    const move = () => {
      cloud.startUpdate(SERVERS, servers, [{ op: 'add', path: '/Servers', value }], '');
    };
    return order(move, setRules(group, letIn(8080, 8081)));
  };
}

test('two independent updates have one verdict, whichever comes first in the run', () => {
  const bad = findingsOf(addPort((servers, group) => [servers, group]));
  const good = findingsOf(addPort((servers, group) => [group, servers]));
  expect(bad.findings).toMatchObject([{ kind: 'cut', from: 1, until: 2 }]);
  expect(good.findings).toEqual([
    {
      kind: 'cut',
      stack: 'api',
      what: expect.stringMatching(/^x\.nrsp-/),
      text: expect.stringMatching(
        /^x\.nrsp-\w+ does not reach a part of its servers, interrupted if Terraform does step 2 before step 1: x\.nsg-\w+ does not let 100\.64\.0\.0\/10 in to 10\.20\.1\.10:8081$/,
      ),
      remedy: expect.stringMatching(/^let x\.nrsp-\w+ change after x\.nsg-\w+ \(`depends_on`\)/),
    },
  ]);
  expect(good.summary).toMatch(/^CLIENTS NOTICE: .* if Terraform does step 2 before step 1/);
  const told = { findings: [], others: good.findings };
  const lanes = withFindings(good.account.lanes, told, 2);
  const [{ what, text } = { what: '', text: '' }] = good.findings;
  expect(lanes.filter(({ otherOrders }) => otherOrders)).toMatchObject([
    {
      name: what,
      states: ['as before or after', 'as before or after', 'as before or after'],
      otherOrders: [text],
    },
  ]);
});

test('nothing is found of an order that a dependency rules out', () => {
  const { findings, summary } = findingsOf(
    addPort((servers, group) => [group, servers]),
    { waits: [[], [0]] },
  );
  expect(findings).toEqual([]);
  expect(summary).toMatch(/^CLEAN/);
});

test('three steps cut together what no two of them do', () => {
  const { findings } = findingsOf(() => {
    const network = buildNetwork(cloud, [rule({ PortStart: 80, PortEnd: 80 })]);
    const make = () => cloud.create(GROUP, { VpcId: network.vpc, IngressPermissions: [rule()] });
    const others = [make(), make(), make()];
    const SecurityGroupIds = [network.group, ...others];
    cloud.create(ENDPOINT, endpointInput(network, { SecurityGroupIds }));
    const closed = rule({ PortStart: 81, PortEnd: 81 });
    return [setRules(network.group, [rule()]), ...others.map((id) => setRules(id, [closed]))];
  });
  expect(findings.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(
      /:443, but is interrupted if Terraform does steps 2, 3 and 4 before step 1$/,
    ),
  );
});

test('what is not judged is not shown, and never clean', () => {
  const many = () => {
    const network = buildNetwork(cloud);
    const { CidrIp: _, ...listed } = rule();
    const PrefixListEntries = [{ Cidr: '10.30.0.0/16' }];
    const lists = Array.from({ length: 9 }, () =>
      cloud.create(PREFIX_LIST, { MaxEntries: 2, PrefixListEntries }),
    );
    setRules(
      network.group,
      lists.map((PrefixListId) => ({ ...listed, PrefixListId })),
    )();
    cloud.create(ENDPOINT, endpointInput(network));
    const value = [...PrefixListEntries, { Cidr: '10.31.0.0/16' }];
    return lists.map((id) => () => {
      cloud.startUpdate(PREFIX_LIST, id, [{ op: 'add', path: '/PrefixListEntries', value }], '');
    });
  };
  const chain = Array.from({ length: 9 }, (_, i) => (i === 0 ? [] : [i - 1]));
  expect(findingsOf(many, { waits: chain }).findings).toEqual([]);
  const { summary } = findingsOf(many);
  expect(summary).toMatch(
    /^NOT SHOWN: what clients notice where Terraform does steps 1, 2, .* and 9 in another order is not shown: 9 steps decide together, in too many orders/,
  );
  const unread = findingsOf(
    addPort((servers, group) => [group, servers]),
    { graph: 'graph G {}' },
  );
  expect(unread.summary).toMatch(/^NOT SHOWN: .* steps 1 and 2 .* cannot be read from the graph/);
});

test('a graph is read line by line, or not at all', () => {
  const graph = (...lines: readonly string[]) =>
    readGraph(
      ['digraph {', '\tcompound = "true"', '\tsubgraph "root" {', ...lines, '\t}', '}'].join('\n'),
    );
  const node = '"[root] a.b[\\"k\\"] (destroy)"';
  expect(graph(`${node} [label = "a.b", shape = "box"]`, `${node} -> "[root] c.d"`)).toEqual(
    new Map([['a.b["k"] (destroy)', ['c.d']]]),
  );
  expect(graph('a -> b')).toBeUndefined();
  expect(readGraph('')).toBeUndefined();
  expect(readGraph('Warning: x\ndigraph {\n}\n')).toEqual(new Map());
});

test('the same is found of every order as by going through all of them, in a few random clouds', () => {
  const seeds = Array.from({ length: runs(3) }, (_, i) => i + 1);
  expect(compareOrders(seeds).size).toBeGreaterThan(0);
});
