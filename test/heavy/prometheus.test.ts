import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startExporter, until } from '../cli/exporter/start-exporter.js';
import { DASHBOARD, expressionsOf } from '../monitoring/dashboard.js';
import { temporaryFolder } from '../support/cleanup.js';
import { ADDRESS, createWorld, link } from '../support/verifiable-link.js';
import { worldFlags } from '../support/world-flags.js';
import {
  HAS_PROMETHEUS,
  PROMTOOL,
  type Prometheus,
  startPrometheus,
} from './support/prometheus.js';

interface Found {
  readonly result: readonly {
    readonly metric: Readonly<Record<string, string>>;
    readonly value: readonly [number, string];
  }[];
}

const LINKS = ['api', 'net-test/api two'];

describe.skipIf(!HAS_PROMETHEUS)('with a real Prometheus', () => {
  test('the alert rules, their tests and the configuration are what promtool accepts', () => {
    const promtool = (...args: readonly string[]) =>
      execFileSync(PROMTOOL ?? '', args, { cwd: 'shipped/monitoring', encoding: 'utf8' });
    expect(promtool('check', 'rules', 'alerts.yml')).toContain('rules found');
    expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
    expect(promtool('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
  });

  test('promtool reads what each panel of the dashboard asks, and refuses what is not PromQL', async () => {
    const folder = await temporaryFolder();
    const rules = join(folder, 'panels.yml');
    const check = (expressions: readonly string[]) => {
      const recorded = expressions.map((expr, n) => ({ record: `panel_${n}`, expr }));
      writeFileSync(rules, JSON.stringify({ groups: [{ name: 'panels', rules: recorded }] }));
      return spawnSync(PROMTOOL ?? '', ['check', 'rules', rules], { encoding: 'utf8' });
    };
    const expressions = expressionsOf(DASHBOARD).map(({ expr }) => expr);
    const accepted = check(expressions);
    expect([accepted.status, accepted.stdout]).toEqual([
      0,
      expect.stringContaining(`${expressions.length} rules found`),
    ]);
    const [first = ''] = expressions;
    const refused = check([`${first})`, ...expressions]);
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain('could not parse expression');
  });

  test('the shipped configuration finds all links, scrapes each, and loads the alert rules', async () => {
    const world = await createWorld();
    const { accessDigest: _, ...one } = link();
    const targets = join(world.folder, 'targets.jsonl');
    writeFileSync(targets, LINKS.map((name) => `${JSON.stringify({ ...one, name })}\n`).join(''));
    const exporter = await startExporter(['--targets', targets, ...worldFlags(world)]);
    const prometheus = await startPrometheus(configFor(exporter.url, world.folder), world.folder);
    onTestFinished(prometheus.stop);
    await eventually(prometheus, 'sum(secure_connectivity_link_reachable)', '2');
    const callsOf = (part: string) =>
      world.service.requests.filter(({ path }) => path.includes(part)).length;
    // Each link may have asked for a token of its own: their first scrapes can overlap.
    const [tokens, workspaces] = [callsOf('/token'), callsOf('/workspaces')];
    await until(async () => callsOf('/workspaces') >= workspaces + LINKS.length);
    expect(callsOf('/token')).toBe(tokens);
    const { result } = await query(prometheus, 'secure_connectivity_link_reachable');
    expect(result.map(({ metric }) => [metric.instance, metric.link]).toSorted()).toEqual(
      LINKS.map((name) => [name, name]),
    );
    await world.connectTo({ [ADDRESS]: world.refusingPort });
    await eventually(prometheus, 'sum(secure_connectivity_link_reachable)', '0');
    await eventually(
      prometheus,
      'count(secure_connectivity_stage_code{code="tcp.refused",status="failed"})',
      '2',
    );
    expect((await query(prometheus, 'secure_connectivity_exporter_info')).result).toHaveLength(1);
    const rules = JSON.stringify(await prometheus.ask('rules'));
    expect(rules).toContain('ConnectivityLinkBroken');
    expect(rules).not.toContain('"health":"err"');
  });
});

/** The shipped file with the exporter's own address, and scrapes that come sooner. */
function configFor(url: string, folder: string): string {
  const { host } = new URL(url);
  const shipped = readFileSync('shipped/monitoring/prometheus.yml', 'utf8');
  const config = join(folder, 'prometheus.yml');
  const text = shipped
    .replaceAll('127.0.0.1:9464', host)
    .replace('scrape_interval: 1m', 'scrape_interval: 4s')
    .replace('scrape_timeout: 30s', 'scrape_timeout: 4s');
  const own = `global: { scrape_interval: 4s, evaluation_interval: 4s }\nrule_files: ['${resolve('shipped/monitoring/alerts.yml')}']\n`;
  writeFileSync(config, `${own}${text}`);
  return config;
}

async function query(prometheus: Prometheus, expression: string): Promise<Found> {
  return (await prometheus.ask(`query?query=${encodeURIComponent(expression)}`)) as Found;
}

async function eventually(prometheus: Prometheus, expression: string, wanted: string) {
  for (;;) {
    const { result } = await query(prometheus, expression);
    if (result[0]?.value[1] === wanted) return;
    await sleep(500);
  }
}
