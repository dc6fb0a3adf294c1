import { expect, test } from 'vitest';
import { makeFindings } from '../../../src/rehearse/report/findings.js';
import { Recorder, withoutTasks } from '../../../src/rehearse/timeline/recorder.js';
import { makeAccount } from '../../../src/rehearse/timeline/timeline.js';
import { Cloud } from '../../../src/sandbox/cloud/cloud.js';
import { SANDBOX_SERVICE } from '../../../src/sandbox/surroundings.js';
import { buildBalancer, LISTENER } from '../../sandbox/support.js';

const TLS = { Protocol: 'HTTPS', CertificateSource: 'clb', CertificateId: 'cert-1' };

/** The findings of a change of a TLS listener's properties. */
function findingsOf(change: Readonly<Record<string, string>>) {
  const recorder: Recorder = new Recorder(() => cloud.state);
  const cloud: Cloud = new Cloud({ taskPolls: 0, onMutation: recorder.onMutation });
  const { listener } = buildBalancer(cloud, TLS);
  recorder.take();
  const before = withoutTasks(cloud.state);
  const patch = Object.entries(change).map(([name, value]) => ({
    ...{ op: 'add', path: `/${name}`, value },
  }));
  cloud.startUpdate(LISTENER, listener, patch as never, 'change');
  const account = makeAccount({
    before,
    steps: recorder.take().map((step) => ({ ...step, stack: 'own' })),
    links: { before: new Map(), after: new Map() },
    addresses: new Map([[listener, 'volcenginecc_clb_listener.orders']]),
    trees: [],
    service: SANDBOX_SERVICE,
  });
  return makeFindings(account, []).map(({ kind, text }) => `${kind}: ${text}`);
}

const NOT_SHOWN =
  'not-shown: volcenginecc_clb_listener.orders has other certificates or another TLS policy from step 1 on: whether the service and the plugin still accept each other is not shown';

test.each([
  ['callers must show a certificate', { CAEnabled: 'on', CACertificateId: 'ca-1' }, [NOT_SHOWN]],
  ['another certificate', { CertificateId: 'cert-2' }, [NOT_SHOWN]],
  ['another TLS policy', { SecurityPolicyId: 'tls-1' }, [NOT_SHOWN]],
  ['another name', { ListenerName: 'orders-2' }, []],
])('what packets do not show of a listener is told: %s', (_, change, told) => {
  expect(findingsOf(change)).toEqual(told);
});
