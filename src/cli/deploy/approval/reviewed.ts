import { lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { State } from '../../../adopt/own-state.js';
import { readTree } from '../../../reach/read/read-tree.js';
import { stateAsTerraform } from '../../../reach/read/state-file.js';
import { allow, findExcess } from '../../../review/statement/allowed.js';
import type { GivenStatement } from '../../../review/statement/statement.js';
import { openingsOf, type Surface, surfacesOf } from '../../../review/statement/surface.js';
import { readTreeOutputs } from '../../../terraform/tree-outputs.js';
import { checkStatements, notReviewed } from './read-statements.js';

/** The output by which the state of a stack remembers its rule: only what was reviewed may be deployed. */
const OUTPUT = 'reviewed';

const ruleSchema = z.looseObject({
  key: z.string().default('').describe('base64 of an SPKI; empty where signatures are not checked'),
  statements: z.string().default('').describe('SHA-256 of those deployed already, in order'),
});

/** Variables of Terraform and of the check that say by which statements a stack is deployed. */
type ReviewedEnvironment = Readonly<
  Partial<Record<'TF_VAR_reviewed_statements' | 'SECURE_CONNECTIVITY_STATEMENT', string>>
>;

interface Stack {
  readonly name: string;
  readonly folder: string;
  readonly say: (text: string) => void;
}

/**
 * Refuses a stack that opens more than what is deployed and the statements of reviewed changes allow, or
 * whose other content is not what was reviewed. What is deployed decides whether statements are needed.
 *
 * @param given undefined without `--reviewed`
 * @returns what Terraform and the check find in their environment
 * @throws ConnectivityError `deploy.not-reviewed`
 */
export async function refuseUnreviewed(
  stack: Stack,
  state: State,
  given: readonly GivenStatement[] | undefined,
): Promise<ReviewedEnvironment> {
  const isFirst = (state.resources ?? []).length === 0;
  const stated = state.outputs?.[OUTPUT]?.value;
  const rule = isFirst ? ruleOfTree(stack.folder) : ruleSchema.optional().parse(stated);
  if (given === undefined) {
    if (rule === undefined) return {};
    throw notReviewed(
      `\`--reviewed\` must name the statements of the changes since the last deploy, because \`check.requireReviewed\` of ${stack.name} is true, got: none`,
    );
  }
  const key = rule?.key || ruleOfTree(stack.folder)?.key;
  await checkStatements(given, key || undefined);
  if (!key)
    stack.say(`${stack.name}: no \`check.statementKey\` is set, so no signature was checked`);
  const known = rule?.statements.split(' ').filter((one) => one !== '') ?? [];
  refuseExcess(stack, state, known, given);
  const digests = [...new Set([...known, ...given.map(({ digest }) => digest)])];
  const last = given.at(-1)?.digest;
  return {
    TF_VAR_reviewed_statements: digests.join(' '),
    ...(last !== undefined && { SECURE_CONNECTIVITY_STATEMENT: last }),
  };
}

/**
 * Removes programs of providers that came with a tree: a lock file beside them, which `init` writes and no
 * statement has, could vouch for any. `init` installs them anew.
 */
export function removeGivenProviders(folder: string): void {
  const data = join(folder, '.terraform');
  // A link is unread content, for which the stack is refused.
  if (!lstatSync(data, { throwIfNoEntry: false })?.isDirectory()) return;
  rmSync(join(data, 'providers'), { recursive: true, force: true });
}

function ruleOfTree(folder: string): z.infer<typeof ruleSchema> | undefined {
  const { value } = readTreeOutputs(folder)[OUTPUT] ?? {};
  if (value === undefined) return undefined;
  const { key } = ruleSchema.pick({ key: true }).parse(value);
  // An expression until the deploy.
  return { key, statements: '' };
}

function refuseExcess(
  { name, folder }: Stack,
  state: State,
  known: readonly string[],
  given: readonly GivenStatement[],
): void {
  const isKnown = ({ digest }: GivenStatement) => known.includes(digest);
  const allowed = allow(
    name,
    openingsOf(stateAsTerraform(state)),
    given.filter(isKnown).map(({ statement }) => statement),
    given.filter((one) => !isKnown(one)).map(({ statement }) => statement),
  );
  const excess = findExcess(readSurface(name, folder), allowed);
  if (excess !== undefined) {
    throw notReviewed(
      `${name} must open and contain nothing but what was reviewed, got: ${excess}`,
    );
  }
}

/** `init` writes it beside the configuration. */
const LOCK_FILE = 'file .terraform.lock.hcl';

function readSurface(name: string, folder: string): Surface {
  const tree = readTree(join(folder, '..', '..'), '--tree');
  const stack = tree.get(name);
  if (stack === undefined) throw notReviewed(`\`--tree\` must have the stack ${name}, got: none`);
  const files = stack.terraform.files.filter(({ where }) => where !== LOCK_FILE);
  const own = { ...stack, terraform: { ...stack.terraform, files } };
  const surface = surfacesOf(new Map([[name, own]])).get(name);
  if (surface === undefined) throw new TypeError(`no surface of ${name}`);
  return surface;
}
