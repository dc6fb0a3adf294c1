import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { permissionsReference, used } from '../../scripts/permissions-reference.js';
import { semanticsReference } from '../../scripts/semantics-reference.js';
import { settingsReference } from '../../scripts/settings-reference.js';
import { settingsSchema } from '../../src/settings/schema.js';
import { synthesized } from './every-option.js';

test.each([
  ['docs/settings.md', settingsReference],
  ['docs/permissions.md', permissionsReference],
  ['docs/provider.md', semanticsReference],
])('%s is current: npm run docs', (file, reference) => {
  expect(readFileSync(file, 'utf8')).toBe(reference());
});

test('the settings reference has every option', () => {
  const text = settingsReference();
  for (const option of Object.keys(settingsSchema.shape))
    expect(text).toContain(`| \`${option}\` |`);
  expect(text).not.toContain('undefined');
});

test('the permissions have every type that a stack makes', () => {
  const made = (['api-access', 'plugin-access'] as const).flatMap((stack) =>
    Object.keys(synthesized(stack).json.resource ?? {}),
  );
  const cloud = [...new Set(made)].filter((type) => type.startsWith('volcenginecc_'));
  expect(used()).toEqual(expect.arrayContaining(cloud));
});
