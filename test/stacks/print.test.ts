import { expect, test } from 'vitest';
import { synthesized } from './every-option.js';

test('x', () => {
  for (const s of ['api-access', 'plugin-access'] as const) {
    const { json, text } = synthesized(s);
    for (const k of ['resource', 'data'] as const)
      for (const [t, m] of Object.entries(json[k] ?? {}))
        for (const n of Object.keys(m)) console.log(k, t + '.' + n);
    console.log(Object.keys(json.output ?? {}));
    require('node:fs').writeFileSync('/tmp/x4-' + s + '.json', text);
  }
  expect(1).toBe(1);
});
