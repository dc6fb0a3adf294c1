import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { EXIT, factsOf, reasonOf } from '../../src/codes/codes.js';
import { reasonOfCause } from '../../src/codes/stated.js';
import { FAULTS } from '../../src/sandbox/faults/index.js';
import type { Run, StackRun } from './stack-run.js';

interface LinkReport {
  readonly stages: readonly {
    stage: string;
    status: string;
    code?: string;
    evidence?: Record<string, unknown>;
  }[];
  readonly causes: readonly { code: string; evidence: string }[];
}

/** The faults that strike every way to the service's API. */
export const LINK_FAULTS = FAULTS.filter((fault) => !('only' in fault));

/** Two zones, so that one of them can fail alone. */
export function inTwoZones(run: StackRun): void {
  run.change('sandbox', (settings) => {
    const { subnets } = settings.network as { subnets: object };
    Object.assign(subnets, { 'cn-beijing-b': '10.20.2.0/24' });
    Object.assign(settings.serviceEndpoint as object, { zones: Object.keys(subnets) });
  });
}

/** The links of a check under a fault have the codes and causes of its row, and none that mislead. */
export function expectRow(fault: (typeof LINK_FAULTS)[number], links: readonly LinkReport[]): void {
  const { name, code, never, strikes } = fault;
  const stages = links.flatMap((link) => link.stages);
  const causes = links.flatMap((link) => link.causes.map(reasonOfCause));
  const found = [...stages.map(reasonOf), ...causes];
  expect(found, name).toContain(code);
  expect(causes, name).toEqual(expect.arrayContaining('causes' in fault ? [...fault.causes] : []));
  expect(
    found.filter((seen) => never.some((wrong) => wrong === seen)),
    name,
  ).toEqual([]);
  expect(
    stages.find((stage) => reasonOf(stage) === code),
    name,
  ).toMatchObject({
    stage: strikes,
    status: factsOf(code).exit === EXIT.strictWarning ? 'warned' : 'failed',
  });
}

/** Verifies under a fault, which the report has to name as the fault's row says. */
export async function expectNamed(
  run: StackRun,
  fault: (typeof LINK_FAULTS)[number],
  verify: (...args: string[]) => Promise<Run>,
): Promise<void> {
  const { name, code } = fault;
  run.sandbox.faults.set(name);
  try {
    const needed = 'flags' in fault ? fault.flags : [];
    // Only what is met by silence takes all of it.
    const timeout = /\.timeout$|: no answer$/.test(code) ? '3s' : '10s';
    const flags = ['--format', 'json', '--timeout', timeout, '--strict', ...needed];
    const { status, stdout } = await verify(...flags);
    const { links } = JSON.parse(stdout) as { links: LinkReport[] };
    expectRow(fault, links);
    expect(status).not.toBe(0);
  } finally {
    run.sandbox.faults.clear();
  }
}

/** No text holds the private key, a JWT or a token. */
export function expectNoSecret(run: StackRun, texts: readonly string[]): void {
  const key = readFileSync(run.sandbox.env.SECURE_CONNECTIVITY_PRIVATE_KEY_FILE ?? '', 'utf8');
  const body = key.split('\n')[1] ?? '';
  expect(body.length).toBeGreaterThan(40);
  for (const secret of [body, /PRIVATE KEY/, /eyJ[\w-]+\.[\w-]+\.[\w-]+/, /czs_\w+/]) {
    const leaking = texts.filter((text) =>
      typeof secret === 'string' ? text.includes(secret) : secret.test(text),
    );
    expect(leaking).toEqual([]);
  }
}
