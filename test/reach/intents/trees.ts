import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { AccessFile } from '../../../src/access/access-file.js';
import type { Intents } from '../../../src/intents/intents-file.js';
import { checkIntents } from '../../../src/intents/read-intents.js';
import type { IntentAnswer } from '../../../src/reach/intents/answer.js';
import { judgeIntents } from '../../../src/reach/intents/judge-intents.js';
import { judgedStack } from '../../../src/reach/intents/scope.js';
import type { Json } from '../../../src/reach/read/json.js';
import { readTerraform } from '../../../src/reach/read/terraform-json.js';
import { readReached } from '../../../src/reach/ways/doors.js';
import { loadSettings } from '../../../src/settings/load-settings.js';
import { synthesizeInto } from '../../support/synthesize-all.js';

/** A synthesized stack as plain data, to be changed. */
export interface PlainStack {
  readonly name: string;
  readonly json: Json;
  readonly access: AccessFile;
}

/** The shipped stacks of an environment, in a folder that goes when the tests of the file are done. */
export function synthesizeShipped(
  environment: string,
  intents?: Intents,
): { tree: string; stacks: PlainStack[] } {
  const tree = mkdtempSync(join(tmpdir(), 'intents-'));
  afterAll(() => rmSync(tree, { recursive: true, force: true }));
  const loaded = { ...loadSettings('stacks/settings', environment), ...(intents && { intents }) };
  synthesizeInto(tree, loaded);
  const stacks = ['api-access', 'plugin-access'].map((kind): PlainStack => {
    const name = `${kind}-${environment}`;
    const read = (file: string) =>
      JSON.parse(readFileSync(join(tree, 'stacks', name, file), 'utf8')) as never;
    return { name, json: read('cdk.tf.json'), access: read('access.json') };
  });
  return { tree, stacks };
}

export function judge(
  stacks: readonly PlainStack[],
  intents: readonly Json[],
  more: Json = {},
): IntentAnswer[] {
  const checked = checkIntents({ intents, ...more }, 'test');
  return judgeIntents(
    checked,
    stacks.map(({ name, json, access }) =>
      judgedStack(readReached({ name, file: name, access, terraform: readTerraform(json) })),
    ),
  );
}
