import { HELLO_NAMES, LOST, sayHello } from '../transport/tls/hello-size.js';
import { addressesFailedWith, type Probe } from './probe.js';
import { probed } from './probe-result.js';

/** A small ClientHello and, twice, a large one: some firewalls read no more than its first packet. */
export const helloSize: Probe = {
  applies: (context) => addressesFailedWith(context, ...LOST).length > 0,
  run: async (context) => {
    const [address = ''] = addressesFailedWith(context, ...LOST);
    return await Promise.all(
      HELLO_NAMES.map((name) => probed('hello-size', name, () => sayHello(context, address, name))),
    );
  },
};
