import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { privatelinkVpcEndpoint } from '../../../src/cloud/table/privatelink.js';
import { checkIntents } from '../../../src/intents/read-intents.js';
import type { IntentAnswer } from '../../../src/reach/intents/answer.js';
import { type Json, list } from '../../../src/reach/read/json.js';
import { readTerraform } from '../../../src/reach/read/terraform-json.js';
import { readRehearsedTree } from '../../../src/rehearse/read-trees.js';
import { type Deployed, deployTree } from '../../../src/rehearse/stage/deploys.js';
import { Stage } from '../../../src/rehearse/stage/stage.js';
import { toWorld } from '../../../src/rehearse/ways/link-way.js';
import { review } from '../../../src/review/review.js';
import { type CloudState, listResources } from '../../../src/sandbox/cloud/cloud-state.js';
import { readObjects, readText } from '../../../src/sandbox/json.js';
import { findServers, route, type TcpConnection } from '../../../src/sandbox/network/world.js';
import { loadSettings } from '../../../src/settings/load-settings.js';
import { expectIntents } from '../../../src/testing/index.js';
import { environmentApp } from '../../../stacks/environment.js';
import { mutants } from '../../reach/intents/mutants.js';
import { judge, type PlainStack, synthesizeShipped } from '../../reach/intents/trees.js';
import { hasKernel, knockAll } from './kernel.js';
import { findDifference, mutateCloud } from './mutated-cloud.js';

const SHIPPED = JSON.parse(readFileSync('shipped/template/intents.json', 'utf8')) as {
  intents: Json[];
};

/** Callers near the edges of what is open, and far from them. */
const CALLERS = [
  '10.9.0.1',
  '10.9.255.254',
  '10.19.255.254',
  '10.21.0.1',
  '10.20.0.9',
  '10.30.0.1',
  '10.30.127.254',
  '10.30.128.1',
  '10.31.0.1',
  '192.168.1.1',
];

describe.each(['production', 'sandbox'])('every mutant of %s', (environment) => {
  const network = environment === 'production' ? '10.30.' : '10.20.';
  const intents = SHIPPED.intents.map(({ environments: _, ...intent }) =>
    JSON.parse(JSON.stringify(intent).replaceAll('10.30.', network)),
  ) as Json[];
  const file = checkIntents({ intents }, 'test');
  const { tree, stacks } = synthesizeShipped(environment);
  const all = mutants(stacks).map((mutant) => ({
    ...mutant,
    answers: judge(mutant.stacks, intents),
    difference: findDifference(stacks, mutant.stacks),
  }));
  let stage: Stage;
  let deployed: Deployed;
  let base: CloudState;

  beforeAll(async () => {
    const rehearsed = readRehearsedTree(tree, '--base');
    stage = await Stage.start({ base: rehearsed, head: rehearsed });
    deployed = await deployTree(stage, rehearsed);
    expect(deployed.result).toEqual({ status: 'passed', errors: [] });
    stage.followTree(rehearsed, deployed);
    base = stage.cloudNow();
  }, 300_000);
  afterAll(() => stage?.stop());

  const broken = (answers: readonly IntentAnswer[]) =>
    answers.filter(({ verdict }) => verdict === 'broken').map(({ name }) => name);

  test('breaks the same intents in a unit test and in a review', () => {
    const programs = environmentApp(loadSettings('stacks/settings', environment)).node.children;
    for (const { title, stacks: mutated, answers } of all) {
      const asked = mutated.map(({ name, json }) => {
        const program = programs.find(({ node }) => node.id === name);
        return Object.assign(program ?? {}, { toTerraform: () => json });
      });
      const wrong = answers.filter(({ verdict }) => verdict !== 'holds');
      const named = wrong.map(({ name, expect: expected }) => `${name}: ${expected}`);
      expect({ title, named: failedBy(() => expectIntents(asked, file)) }).toEqual({
        title,
        named,
      });
      const group = [{ intents: file, stacks: stacks.map(({ name }) => name) }];
      const report = review(treeOf(stacks), treeOf(mutated), '2026-05-04', {
        intents: { base: group, head: group },
      });
      const rows = (report.intents ?? []).filter(({ head }) => head === 'broken');
      const refused = report.findings.filter(({ code }) => code === 'policy.intent-broken');
      expect({ title, names: rows.map(({ name }) => name) }).toEqual({
        title,
        names: broken(answers),
      });
      expect(refused).toHaveLength(rows.length);
    }
  });

  test("lets the packet of each broken intent through, or stops it, by the sandbox's packet engine", () => {
    let asked = 0;
    for (const { title, answers, difference } of all) {
      if (difference === undefined) continue;
      const state = mutateCloud(base, difference);
      for (const { name, verdict, packet = '', expect: expected } of answers) {
        const call = verdict === 'broken' ? readCall(packet, base) : undefined;
        if (call === undefined) continue;
        const isOpen = route(toWorld(state, stage.service), call) === 'open';
        expect({ title, name, packet, isOpen }).toMatchObject({ isOpen: expected === 'closed' });
        asked += 1;
      }
    }
    expect(asked).toBeGreaterThan(2);
  });

  test.skipIf(!hasKernel())(
    'opens the same in the kernel (needs root and nft)',
    { timeout: 300_000 },
    () => {
      const groups = all.filter(
        ({ difference }) =>
          difference?.type === 'volcenginecc_vpc_security_group' &&
          list(difference.was.ingress_permissions).length > 0,
      );
      const knocks = CALLERS.flatMap((from) => [443, 22].map((port) => ({ from, port })));
      const rules = groups.map(
        ({ difference }) => list(difference?.is.ingress_permissions) as readonly Json[],
      );
      const seen = knockAll(rules.map((own) => ({ rules: own, knocks })));
      const isEndpoint = groups.map(({ difference }) =>
        JSON.stringify(difference?.was.ingress_permissions).includes('through its endpoint'),
      );
      let open = 0;
      for (const [at, { title, stacks: mutated }] of groups.entries()) {
        if (!isEndpoint[at]) continue;
        const asked = knocks.map(({ from, port }, i) => ({
          ...{ name: `${i}`, from, to: 'service-endpoint', port, expect: 'closed' },
        }));
        const answers = judge(mutated, asked).map(({ verdict }) => verdict === 'broken');
        expect({ title, open: answers }).toEqual({ title, open: seen[at] });
        open += answers.filter(Boolean).length;
      }
      if (isEndpoint.includes(true)) expect(open).toBeGreaterThan(2);
    },
  );
});

/** The packet of an answer, to the endpoint or server that has its name and port; undefined where none has. */
function readCall(packet: string, cloud: CloudState): TcpConnection | undefined {
  const [, from = '', name = '', port = ''] =
    /^(\d+(?:\.\d+){3}) → (\S+):(\d+)$/.exec(packet) ?? [];
  const endpoints = listResources(cloud, privatelinkVpcEndpoint)
    .filter((one) => readText(one, 'EndpointName').replace(/-[\da-f]{6}$/, '') === name)
    .flatMap((one) => readObjects(one, 'Zones'))
    .map((zone) => readText(zone, 'PrivateIpAddress'));
  const servers = findServers({ cloud }).filter((server) => server.port === Number(port));
  const [to] = [...endpoints, ...servers.map(({ address }) => address)];
  return from === '' || to === undefined ? undefined : { from, to, port: Number(port) };
}

function failedBy(assertion: () => void): unknown {
  try {
    assertion();
    return [];
  } catch (error) {
    return (error as { expected?: unknown }).expected ?? String(error);
  }
}

function treeOf(stacks: readonly PlainStack[]) {
  return new Map(
    stacks.map(({ name, json, access }) => [
      name,
      { name, terraform: readTerraform(json), access },
    ]),
  );
}
