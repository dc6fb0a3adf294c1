import { expect, test } from 'vitest';
import { makeFindings } from '../../../src/rehearse/report/findings.js';
import { Recorder, withoutTasks } from '../../../src/rehearse/timeline/recorder.js';
import { makeAccount } from '../../../src/rehearse/timeline/timeline.js';
import { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import { BOOK, POLICY } from '../../sandbox/support.js';
import { recordedPassage } from '../passage.js';

const recorder: Recorder = new Recorder(() => cloud.state);
let cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });

const policy = (Action: string, own: string, Source: string, Prio: number) => ({
  ...{ Direction: 'in', Action, Source, SourceType: 'net', Prio, Status: true },
  ...{ Destination: own, DestinationType: own.includes('/') ? 'net' : 'group' },
  ...(Action === 'accept' ? { Proto: 'TCP', DestPort: '8443' } : { Proto: 'ANY' }),
});

/** The effects of a change, and what is found of it. */
function report(before: () => string[], change: (ids: readonly string[]) => void) {
  cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const ids = before();
  recorder.take();
  const state = withoutTasks(cloud.state);
  change(ids);
  const account = makeAccount(
    recordedPassage(recorder, state, {
      stack: 'plugins',
    }),
  );
  return {
    effects: account.steps.map(({ effects }) =>
      effects.map(({ kind, text }) => `${kind}: ${text}`),
    ),
    findings: makeFindings(account, []).map(({ kind, text }) => `${kind}: ${text}`),
  };
}

const accept = (own: string) => cloud.create(POLICY, policy('accept', own, '198.51.100.11/32', 1));
const deny = (own: string) => cloud.create(POLICY, policy('deny', own, '0.0.0.0/0', 0));

test('what no policy denies any more passes, though others accept', () => {
  const { effects, findings } = report(
    () => [accept('203.0.113.9/32'), deny('203.0.113.9/32')],
    ([, denying = '']) => cloud.startDelete(POLICY, denying, 'a'),
  );
  expect(effects[0]?.join('\n')).toMatch(/^opens: 0\.0\.0\.0 – .* 198\.51\.100\.10/);
  expect(findings).toEqual([]);
});

test('what passes while the policy that denies is made anew, opens during the deploy', () => {
  const { findings } = report(
    () => [accept('203.0.113.9/32'), deny('203.0.113.9/32')],
    ([, denying = '']) => {
      cloud.startDelete(POLICY, denying, 'a');
      cloud.startCreate(POLICY, policy('deny', '203.0.113.9/32', '0.0.0.0/0', 0), 'b');
    },
  );
  expect(findings.length).toBeGreaterThan(0);
  for (const text of findings) {
    expect(text).toMatch(/^transient-opening: .* from step 1 to 2, neither before nor after$/);
  }
});

test('another own address is guarded from now on, and the one before no longer', () => {
  const own = (...addresses: readonly string[]) =>
    addresses.map((Address) => ({ Address, Description: 'own' }));
  const { effects, findings } = report(
    () => {
      const book = cloud.create(BOOK, {
        GroupName: 'own',
        GroupType: 'ip',
        AddressDetailList: own('203.0.113.9/32'),
      });
      return [book, accept(book), deny(book)];
    },
    ([book = '']) => {
      const value = own('203.0.113.10/32') as never;
      cloud.startUpdate(BOOK, book, [{ op: 'replace', path: '/AddressDetailList', value }], 'a');
    },
  );
  expect(findings.filter((text) => /203\.0\.113\.10/.test(text)).length).toBeGreaterThan(0);
  for (const text of findings) {
    expect(text).toMatch(/^cut: .* can no longer reach .*203\.0\.113\.10, .* from step 1 on \(/);
  }
  expect(effects.flat().some((text) => /^opens: .*203\.0\.113\.9, /.test(text))).toBe(true);
});

test('an own address stays guarded where a wider network takes its place', () => {
  const { effects, findings } = report(
    () => [accept('203.0.113.9/32'), deny('203.0.113.9/32')],
    (ids) => {
      const value = '203.0.113.0/24' as never;
      for (const id of ids) {
        cloud.startUpdate(POLICY, id, [{ op: 'replace', path: '/Destination', value }], id);
      }
    },
  );
  expect(effects.flat().filter((text) => /^opens: .*203\.0\.113\.9,/.test(text))).toEqual([]);
  expect(findings.length).toBeGreaterThan(0);
  for (const text of findings) {
    expect(text).toMatch(
      /^cut: .* can no longer reach Cloud Firewall, ingress of 203\.0\.113\.(?:0 – 203\.0\.113\.8|10 – 203\.0\.113\.255), /,
    );
  }
});

const closed = (port: string) => ({
  ...policy('deny', '203.0.113.9/32', '0.0.0.0/0', 0),
  ...{ Proto: 'TCP', DestPort: port },
});
const closing = (port: string) => cloud.create(POLICY, closed(port));
const close = (port: string) => () => cloud.startCreate(POLICY, closed(port), port);

test('a port that no policy accepted is nobody’s to lose when it is closed, one that was accepted is', () => {
  const { effects, findings } = report(
    () => [accept('203.0.113.9/32'), closing('8443')],
    close('9443'),
  );
  expect(effects.flat().join('\n')).toMatch(/^closes: .*:9443/);
  expect(findings).toEqual([]);
  const cut = report(() => [accept('203.0.113.9/32')], close('8443'));
  expect(cut.findings.join('\n')).toMatch(/^cut: .* can no longer reach .*:8443/);
  const unknown = report(() => [closing('8443')], close('9443'));
  expect(unknown.findings.join('\n')).toMatch(/^cut: .* can no longer reach .*:9443/);
});
