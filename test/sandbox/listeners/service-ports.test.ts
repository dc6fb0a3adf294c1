import { once } from 'node:events';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { makeAuthority } from '../../../src/sandbox/listeners/certificates.js';
import { openListeners } from '../../../src/sandbox/listeners/service-ports.js';

const NAMES = ['api.example.com'];

test('a certificate that cannot be made ends its own connections only', async () => {
  const authority = await makeAuthority('Trusted');
  const refusing: typeof authority = {
    ...authority,
    issue: async (names, validity, rsaBits) => {
      if (rsaBits !== undefined) throw new Error('the key is too small');
      return await authority.issue(names, validity);
    },
  };
  const { ports, stop } = await openListeners(
    (_, response) => response.end(),
    NAMES,
    refusing,
    authority,
  );
  try {
    const warned = once(process, 'warning');
    const refused = connect({ host: '127.0.0.1', port: ports['weak-key'] });
    await expect(once(refused, 'secureConnect')).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(warned).resolves.toMatchObject([
      { message: expect.stringContaining('the key is too small') },
    ]);
    const options = { servername: NAMES[0], ca: authority.cert };
    const served = connect({ host: '127.0.0.1', port: ports.https, ...options });
    await once(served, 'secureConnect');
    expect(served.authorized).toBe(true);
    served.destroy();
  } finally {
    await stop();
  }
});
