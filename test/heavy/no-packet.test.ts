import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { synthesize } from '../../scripts/synthesize.js';
import { temporaryFolder } from '../support/cleanup.js';

const MAIN = resolve('dist/cli/main.js');

/** A network with a way out that leads nowhere, which counts what is sent that way. */
const NETWORK = `
set -e
ip link set lo up
ip link add v0 type veth peer name v1
for v in v0 v1; do echo 1 > "/proc/sys/net/ipv6/conf/$v/disable_ipv6"; done
ip addr add 192.0.2.1/24 dev v0
ip link set v0 up
ip link set v1 up
ip route add default via 192.0.2.2
ip neigh add 192.0.2.2 lladdr 02:00:00:00:00:01 dev v0
set +e
`;
const SENT = 'cat /sys/class/net/v0/statistics/tx_packets';
const DATAGRAM = `
const socket = require('node:dgram').createSocket('udp4');
socket.send('x', 9, '198.51.100.1', () => socket.close());
`;

const canCount = inNetwork('true').status === 0;

function inNetwork(script: string) {
  const mount = 'mount -t sysfs sysfs /sys';
  return spawnSync('unshare', ['--net', '--mount', 'sh', '-c', `${mount}; ${NETWORK}${script}`], {
    encoding: 'utf8',
    env: { ...process.env, CHECKPOINT_DISABLE: '1' },
  });
}

test.skipIf(!canCount)(
  'the demo and a rehearsal send no packet to a network outside (needs root and ip)',
  { timeout: 600_000 },
  async () => {
    const tree = await temporaryFolder();
    await synthesize('sandbox', tree);
    const commands = ['sandbox demo', `rehearse --base ${tree} --head ${tree}`];
    const { stdout } = inNetwork(
      `
      for command in ${commands.map((one) => `'${one}'`).join(' ')}; do
        "${process.execPath}" "${MAIN}" $command > /dev/null
        echo "exit $?, sent $(${SENT})"
      done
      "${process.execPath}" -e "${DATAGRAM}"
      echo "a datagram, sent $(${SENT})"
      `,
    );
    expect(stdout.trim().split('\n')).toEqual([
      'exit 0, sent 0',
      'exit 0, sent 0',
      'a datagram, sent 1',
    ]);
  },
);
