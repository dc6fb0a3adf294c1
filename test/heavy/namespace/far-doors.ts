import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

export const DOOR = '10.30.1.5';
export const CONTROL = '10.30.9.9';
export const DOOR_6 = 'fd00:30:1::5';
export const CONTROL_6 = 'fd00:30:9::9';
/** The addresses of this machine there. */
export const OWN = '10.9.0.1';
export const OWN_LATER = '10.9.0.7';
export const OWN_6 = 'fd00:9::1';

const LISTEN = `
require('node:net').createServer((socket) => {
  socket.on('error', () => undefined);
  socket.end('220 ready\\r\\n');
}).listen(443, '::', () => console.log('up'));
`;

const ENTER = `
set -e
ip link set lo up
for address in ${DOOR}/32 ${CONTROL}/32; do ip address add "$address" dev lo; done
for address in ${DOOR_6}/128 ${CONTROL_6}/128; do ip -6 address add "$address" dev lo nodad; done
exec node -e "$LISTEN"
`;

/** Another host behind a wire, all of whose addresses listen on port 443. */
export interface FarDoors {
  /** Replaces the rules for what comes in there. */
  readonly firewall: (rules: string, prerouting?: string) => void;
  /** Returns the source ports from which each place there was dialled. */
  readonly dialled: () => ReadonlyMap<string, ReadonlySet<string>>;
}

export async function startFarDoors(): Promise<FarDoors> {
  const host = spawn('unshare', ['--net', 'sh', '-c', ENTER], { env: { ...process.env, LISTEN } });
  onTestFinished(() => {
    host.kill('SIGKILL');
  });
  await once(host.stdout, 'data');
  const there = [`--net=/proc/${host.pid}/ns/net`];
  const ip = (...args: string[]) => execFileSync('ip', args);
  const ipThere = (...args: string[]) => execFileSync('nsenter', [...there, 'ip', ...args]);
  ip('link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far', 'netns', `${host.pid}`);
  onTestFinished(() => {
    ip('link', 'del', 'near');
  });
  for (const address of [`${OWN}/24`, `${OWN_LATER}/24`])
    ip('address', 'add', address, 'dev', 'near');
  ip('-6', 'address', 'add', `${OWN_6}/64`, 'dev', 'near', 'nodad');
  ip('link', 'set', 'near', 'up');
  ipThere('address', 'add', '10.9.0.2/24', 'dev', 'far');
  ipThere('-6', 'address', 'add', 'fd00:9::2/64', 'dev', 'far', 'nodad');
  ipThere('link', 'set', 'far', 'up');
  ip('route', 'add', '10.30.0.0/16', 'via', '10.9.0.2', 'src', OWN);
  ip('-6', 'route', 'add', 'fd00:30::/32', 'via', 'fd00:9::2');
  const nft = (args: readonly string[], input = '') =>
    execFileSync('nsenter', [...there, 'nft', ...args], { input, encoding: 'utf8' });
  const firewall = (rules: string, prerouting = '') => {
    nft(['-f', '-'], ruleset(rules, prerouting));
  };
  firewall('');
  return { firewall, dialled: () => readDialled(nft(['list', 'set', 'inet', 'seen', 'dialled'])) };
}

/** The set keeps what was dialled over changes of the rules. */
function ruleset(rules: string, prerouting: string): string {
  return `
    table inet seen {
      set dialled { type ipv4_addr . inet_service . inet_service; flags dynamic; size 1000; }
      chain before { type filter hook prerouting priority -300; }
    }
    flush chain inet seen before
    add rule inet seen before tcp flags & (syn | ack) == syn add @dialled { ip daddr . tcp dport . tcp sport }
    table inet t { }
    delete table inet t
    table inet t {
      chain nat {
        type nat hook prerouting priority -100
        ${prerouting}
      }
      chain in {
        type filter hook input priority 0
        ${rules}
      }
    }
  `;
}

function readDialled(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, host, port, source = ''] of text.matchAll(/([\d.]+) \. (\d+) \. (\d+)/g)) {
    const place = `${host}:${port}`;
    found.set(place, (found.get(place) ?? new Set()).add(source));
  }
  return found;
}
