import { expect, test } from 'vitest';
import { rehearsalExit } from '../../../src/rehearse/outcome.js';
import type { RehearsalReport } from '../../../src/rehearse/report-schema.js';
import type { Settings } from '../../changes/row.js';
import { type RehearsedChange, rehearseChange, set } from '../../rehearse/rehearsal.js';

type Rule = Record<string, unknown>;

/** Edits the inward rules of every group of a stack. */
const rules = (edit: (all: Rule[]) => Rule[]) => (stack: Settings) => {
  const { resource } = stack as {
    resource: Record<string, Record<string, { ingress_permissions?: Rule[] }>>;
  };
  for (const group of Object.values(resource.volcenginecc_vpc_security_group ?? {})) {
    group.ingress_permissions = edit(group.ingress_permissions ?? []);
  }
};

const GROUP = { cidr_ip: undefined, source_group_id: 'sg-unknown' };
const LIST = { cidr_ip: undefined, prefix_list_id: 'pl-unknown' };
const DROP = { policy: 'drop', priority: 1 };

const everyAccept = (peer: Rule) => rules((all) => all.map((rule) => ({ ...rule, ...peer })));
const dropFirst = (peer: Rule) => rules((all) => [...all, { ...all[0], ...peer, ...DROP }]);

const API = { stack: 'api-access', head: () => undefined } as const;
const HALVES = set(['serviceEndpoint'], { allowedNetworks: ['10.20.0.0/17', '10.20.128.0/17'] });
const TEN = set(['serviceEndpoint'], { allowedNetworks: ['10.20.0.0/16'] });
const PLUGIN = {
  stack: 'plugin-access',
  base: set(['pluginEndpointService'], { acceptedEndpointIds: ['ep-1a2b'] }),
  head: () => undefined,
} as const;

const UNKNOWN: readonly (readonly [string, RehearsedChange])[] = [
  ['every accept of an endpoint is for a group', { ...API, base: TEN, edit: everyAccept(GROUP) }],
  ['every accept of an endpoint is for a list', { ...API, base: TEN, edit: everyAccept(LIST) }],
  [
    'one of two accepts is for a group',
    { ...API, base: HALVES, edit: rules(([a, b]) => [{ ...a, ...GROUP }, { ...b }]) },
  ],
  ['a group is dropped first', { ...API, base: TEN, edit: dropFirst(GROUP) }],
  ['a list is dropped first', { ...API, base: TEN, edit: dropFirst(LIST) }],
  ['every accept of a server is for a group', { ...PLUGIN, edit: everyAccept(GROUP) }],
  ['every accept of a server is for a list', { ...PLUGIN, edit: everyAccept(LIST) }],
  ['a group is dropped first at a server', { ...PLUGIN, edit: dropFirst(GROUP) }],
  ['a list is dropped first at a server', { ...PLUGIN, edit: dropFirst(LIST) }],
];

const kinds = ({ findings }: RehearsalReport) => [...new Set(findings.map(({ kind }) => kind))];

test.each(UNKNOWN)('whom nobody has described is neither cut nor let in: %s', async (_, change) => {
  const report = await rehearseChange(change);
  expect(kinds(report)).toEqual(['not-shown']);
  expect(report.summary).toMatch(
    /^NOT SHOWN: .* has the (?:group|prefix list) \w+-unknown from step 1 on/,
  );
  expect(rehearsalExit(report)).toBe(3);
  const effects = report.head.timeline.steps.flatMap((step) => step.effects);
  expect(effects.filter(({ kind }) => kind === 'down' || kind === 'closes')).toEqual([]);
});

test.each<[string, RehearsedChange]>([
  ['an endpoint', { ...API, base: TEN, edit: rules(([a]) => [{ ...a, ...GROUP, ...DROP }]) }],
  ['a server', { ...PLUGIN, edit: rules(([a]) => [{ ...a, ...LIST, ...DROP }]) }],
])('a rule that drops what is unknown hides no cut where the accept of %s goes', async (_, change) => {
  const report = await rehearseChange(change);
  expect(kinds(report).toSorted()).toEqual(['cut', 'failure', 'not-shown']);
  expect(rehearsalExit(report)).toBe(4);
});

test('what the same step closes for certain is cut, though a group nobody has described comes beside it', async () => {
  const edit = rules(([a]) => [{ ...a, ...GROUP, port_start: 8443, port_end: 8443 }]);
  const report = await rehearseChange({ ...API, base: TEN, edit });
  expect(kinds(report).toSorted()).toEqual(['cut', 'failure', 'not-shown']);
  expect(rehearsalExit(report)).toBe(4);
});
