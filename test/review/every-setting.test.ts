import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { readTree } from '../../src/reach/read/read-tree.js';
import { review } from '../../src/review/review.js';
import { settingsSchema } from '../../src/settings/schema.js';
import { some } from '../support/samples.js';
import { synthesizeAll } from '../support/synthesize-all.js';
import { BASES, SETTINGS, type Settings } from './every-setting.js';
import { TODAY } from './trees.js';

/** The settings of a base with another value at a path; without one where it is undefined. */
function settingsWith(settings: Settings, path: string, value: unknown): Settings {
  const changed: Settings = structuredClone(settings);
  const names = path.split('.');
  const last = names.pop() ?? '';
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the settings of the moment have
  const inner = names.reduce<any>((all, name) => (all[name] ??= {}), changed);
  if (value === undefined) delete inner[last];
  else inner[last] = value;
  return changed;
}

const ROWS = SETTINGS.map(([path, base, value, decision = 'needs-approval'], i) => {
  const trees = [BASES[base], settingsWith(BASES[base], path, value)];
  return { name: `${path} (${base}, ${i})`, path, trees, decision };
});
const TRIED = some(ROWS, ({ path, decision }) => `${path.split('.', 1)} ${decision}`);
const folder = synthesizeAll(
  Object.fromEntries(
    TRIED.flatMap(({ trees }, i) => trees.map((settings, side) => [`${i}-${side}`, settings])),
  ),
);

test.each(
  TRIED.map((row, i) => ({ ...row, i })),
)('$name is told, and taken back as well, unless nothing outside changes', ({ i, ...row }) => {
  const read = (side: number) => readTree(join(folder, `${i}-${side}`), row.name);
  const { decision, summary } = review(read(0), read(1), TODAY);
  expect(decision, summary).toBe(row.decision);
  // More care needs no approval, and less does.
  if (/preventDestroy$|^check\.|Balancer\.network\.cidrs$/.test(row.path)) return;
  const back = review(read(1), read(0), TODAY);
  expect(back.decision === 'no-change', back.summary).toBe(decision === 'no-change');
});

/** The paths of all settings in a schema, without positions and keys. */
function pathsIn(schema: z.core.JSONSchema.BaseSchema, path = ''): string[] {
  const { properties = {}, anyOf = [], items, additionalProperties: keyed } = schema;
  const inner = [...anyOf, items, keyed].filter(
    (one) => typeof one === 'object' && !Array.isArray(one),
  ) as z.core.JSONSchema.BaseSchema[];
  const named = Object.entries(properties).flatMap(([name, one]) =>
    pathsIn(one as z.core.JSONSchema.BaseSchema, path === '' ? name : `${path}.${name}`),
  );
  const all = [...named, ...inner.flatMap((one) => pathsIn(one, path))];
  return all.length > 0 ? [...new Set(all)] : [path];
}

test('every setting is in the table', () => {
  const schema = z.toJSONSchema(settingsSchema, { io: 'input', unrepresentable: 'any' });
  const known = ROWS.map(({ path }) => path.replaceAll(/\.(?:\d+|cn-[\w-]+)(?=\.|$)/g, ''));
  const missing = pathsIn(schema).filter(
    (path) => !known.some((one) => `${path}.`.startsWith(`${one}.`) || one.startsWith(`${path}.`)),
  );
  // They are judged on their own.
  expect(missing).toEqual(['intents']);
});
