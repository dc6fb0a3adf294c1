import { addressesFailedWith, type Probe } from './probe.js';
import { probed } from './probe-result.js';
import { tryRoute } from './try-route.js';

const LOST = ['http.timeout', 'http.reset'];

/** One small call without credential on a new connection: who answers proves the network good. */
export const noCredential: Probe = {
  applies: (context) => addressesFailedWith(context, ...LOST).length > 0,
  run: (context) =>
    Promise.all(
      addressesFailedWith(context, ...LOST).map((address) =>
        probed('no-credential', address, () => tryRoute(context, address)),
      ),
    ),
};
