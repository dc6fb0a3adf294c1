import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const MEGABYTE = 1024 * 1024;

/** Hostile texts: what looks as if it were about to match whatever is searched for in text from outside. */
const HOSTILE = ['eyJ', 'eyJhbGci', '-----BEGIN ', '-----BEGIN A-----', '://', '@', 'a@', 'bearer ']
  .concat([
    'access_token',
    'access_token:',
    'czs_',
    'Aa1',
    'Aa1/',
    `${'A'.repeat(39)} `,
    '\\n',
    ' ',
  ])
  .concat(['x:', '-----END', 'LS0tLS1CRUdJTi', '?passw', '#', ',', '\t', '{"', '"']);

/** By module: each is given each hostile text of a megabyte. */
const READERS = {
  'src/codes/redact.ts': 'redact(text); findSecret(text); safeText(text)',
  'src/service/http/message.ts':
    "readRetryAfter({ headers: { 'retry-after': text, date: text }, receivedAt: 0 })",
  'src/service/token/jwt.ts': "try { checkApiHost(text + '!') } catch {}",
  'src/verify/transport/proxy/proxy.ts': 'try { parseProxy(text) } catch {}',
  'src/verify/reports/read-verification.ts':
    "try { readVerification([{ source: 'file', text }]) } catch {}",
  'src/settings/load-settings.ts':
    "try { parseSettings(JSON.stringify({ state: { backend: 's3', config: { text } } }), 'file') } catch {}",
  'src/reach/read/terraform-json.ts': "references(text); references(text + '${'.repeat(300000))",
} as const;

// Anything but linear work takes hours for a megabyte; the deadline is only there to end it.
test.each(Object.entries(READERS))(
  '%s reads a megabyte of hostile text with work that grows as its length',
  (module, work) => {
    const script = `
      const module = await import('./${module}');
      const names = Object.keys(module);
      const run = new Function(...names, 'text', ${JSON.stringify(work)});
      for (const piece of ${JSON.stringify(HOSTILE)}) {
        const text = piece.repeat(${MEGABYTE} / piece.length);
        run(...names.map((name) => module[name]), text);
      }
      console.log('done');`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      { timeout: 120_000, encoding: 'utf8' },
    );
    expect([stdout, stderr]).toEqual(['done\n', '']);
  },
  150_000,
);
