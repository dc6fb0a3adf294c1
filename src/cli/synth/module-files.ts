import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { usageError } from '../../codes/connectivity-error.js';
import { asObject, asText, type JsonObject, readJsonFile } from '../../files/json.js';
import { markdownTable } from '../../files/markdown.js';
import { ALL_TAGS } from '../../settings/module-settings.js';
import { stackFile } from '../../terraform/configuration-files.js';
import { inDraft } from './out-folder.js';
import { mapMembers, SharedLists } from './shared-lists.js';

/** The oldest Terraform with every block that a module uses, such as `terraform_data`. */
const TERRAFORM = '>= 1.4.0';

/** The null provider's own first version with what a check needs; the stacks are written for one version of it. */
const NULL_PROVIDER = '>= 3.2.0, < 4.0.0';

const RUN_CHECK = {
  type: 'bool',
  default: true,
  nullable: false,
  description: 'false: nothing is checked before and after an apply',
};

/** The files of a module, by name, made of the stack that cdktf has written. */
function moduleFiles(stack: JsonObject, name: string): ReadonlyMap<string, string> {
  const { resource, output, variable, terraform, data } = rewritten(stack, (key, value) =>
    key === '//' ? undefined : value,
  );
  const outputs = asObject(output) ?? {};
  const linked = [outputs.connectivity, outputs.connections];
  const [links] = linked.flatMap((one) => asText(asObject(one)?.value) ?? []);
  const once = (value: unknown) =>
    rewritten(value, (_, one) => (one === links ? '${local.links}' : one));
  const lists = new SharedLists();
  const written = lists.take(asObject(once(resource)) ?? {});
  const resources = switchChecks(
    mapMembers(written, (named) => mapMembers(named, (body) => takeAllTags(asObject(body) ?? {}))),
  );
  const isChecked = resources.null_resource !== undefined;
  const variables = { ...asObject(variable), ...(isChecked && { run_check: RUN_CHECK }) };
  const files = {
    'versions.tf.json': { terraform: versions(terraform, isChecked) },
    'variables.tf.json': { variable: variables },
    'main.tf.json': {
      locals: { ...lists.locals, ...(links !== undefined && { links: lists.inLinks(links) }) },
      ...(data !== undefined && { data: once(data) }),
      resource: resources,
    },
    'outputs.tf.json': { output: once(outputs) },
  };
  const readme = moduleReadme(name, described(variables), described(outputs));
  return new Map([
    ...Object.entries(files).map(
      ([file, json]) => [file, `${JSON.stringify(json, null, 2)}\n`] as const,
    ),
    ['README.md', readme],
  ]);
}

function versions(terraform: unknown, isChecked: boolean): JsonObject {
  const { null: _, ...required } = asObject(asObject(terraform)?.required_providers) ?? {};
  const check = { null: { source: 'hashicorp/null', version: NULL_PROVIDER } };
  return {
    required_version: TERRAFORM,
    required_providers: { ...required, ...(isChecked && check) },
  };
}

/** Has the tags of a resource followed by all of a variable, if one stands for them. */
function takeAllTags(body: JsonObject): JsonObject {
  const tags: readonly unknown[] = Array.isArray(body.tags) ? body.tags : [];
  const all = tags.map(asObject).find((tag) => tag?.key === ALL_TAGS);
  if (all === undefined) return body;
  const others = tags.filter((tag) => asObject(tag)?.key !== ALL_TAGS);
  const variable = String(all.value).slice('${'.length, -'}'.length);
  const each = `[for key, value in ${variable} : { key = key, value = value }]`;
  const list = others.length === 0 ? each : `concat(${JSON.stringify(others)}, ${each})`;
  return { ...body, tags: `\${${list}}` };
}

/** Lets the callers of a module turn its check off. */
function switchChecks(resources: JsonObject): JsonObject {
  const { null_resource: checks } = resources;
  if (checks === undefined) return resources;
  const count = '${var.run_check ? 1 : 0}';
  const switched = mapMembers(checks, (body) => ({ count, ...asObject(body) }));
  return { ...resources, null_resource: switched };
}

/** Rewrites a value as JSON is: what becomes undefined is left out. */
function rewritten<T>(value: T, rewrite: (key: string, value: unknown) => unknown): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value, rewrite)) as T);
}

function described(blocks: JsonObject): Described[] {
  return Object.entries(blocks).map(([name, body]) => ({
    name,
    description: String(asObject(body)?.description ?? ''),
  }));
}

/** A variable or an output. */
interface Described {
  readonly name: string;
  readonly description: string;
}

/** Writes what callers of a module read: an example, and its variables and outputs. */
function moduleReadme(
  name: string,
  variables: readonly Described[],
  outputs: readonly Described[],
): string {
  const required = variables.filter((one) => one.name !== 'run_check');
  const width = Math.max(0, ...required.map((one) => one.name.length));
  const given = required.map((one) => `  ${one.name.padEnd(width)} = var.${one.name}`);
  const inputs = variables.map((one) => [
    `\`${one.name}\``,
    one.description,
    required.includes(one) ? 'required' : 'optional',
  ]);
  return [
    `# ${name}`,
    '',
    'Connections to the AI-agent service, written by `secure-connectivity synth --module`. Change the settings and write it again, rather than these files.',
    '',
    '```hcl',
    'module "agent_service" {',
    '  source = "./connectivity"',
    ...(given.length > 0 ? ['', ...given] : []),
    '}',
    '```',
    '',
    'The state and the configuration of the provider are those of the root, in the region cn-beijing. `count`, `for_each`, `depends_on` and `providers` of the call work.',
    ...(required.length < variables.length ? ['', CHECK] : []),
    '',
    '## Inputs',
    '',
    ...markdownTable(['name', 'what', 'needed'], inputs),
    '',
    '## Outputs',
    '',
    ...markdownTable(
      ['name', 'what'],
      outputs.map((one) => [`\`${one.name}\``, one.description]),
    ),
    '',
  ].join('\n');
}

const CHECK =
  'An apply begins and ends with a check of the connections. It runs `secure-connectivity` of the PATH, or else the one that the project of the root has installed, with the credentials in the environment. `run_check = false` turns it off.';

/** Names the access rules of a stack, beside its Terraform. */
const ACCESS = 'access.json';

/** The file that is in every module, and first of those by which it is known. */
const MAIN = 'main.tf.json';

/**
 * Writes a folder that roots call as a module, whole or not at all.
 *
 * @param synth writes the tree of the one stack that the module is made of
 * @throws ConnectivityError `usage.invalid` where the folder holds what is not ours
 */
export function writeModule(folder: string, synth: (tree: string) => void): Promise<void> {
  return inDraft(folder, {
    requireOwn: (path) => requireOwn(path, folder),
    make: async (draft) => {
      const tree = join(draft, 'tree');
      mkdirSync(tree);
      synth(tree);
      const stacks = join(tree, 'stacks');
      for (const name of readdirSync(stacks)) {
        const stack = join(stacks, name);
        const json = asObject(readJsonFile(stackFile(stack))) ?? {};
        for (const [file, text] of moduleFiles(json, basename(resolve(folder)))) {
          await writeFile(join(draft, file), text);
        }
        copyFileSync(join(stack, ACCESS), join(draft, ACCESS));
      }
      rmSync(tree, { recursive: true });
    },
    replace: (path, draft) => {
      if (!existsSync(path)) return renameSync(draft, path);
      for (const file of readdirSync(draft)) renameSync(join(draft, file), join(path, file));
    },
  });
}

const OWN = [MAIN, 'versions.tf.json', 'variables.tf.json', 'outputs.tf.json', ACCESS, 'README.md'];

function requireOwn(path: string, folder: string): void {
  if (!existsSync(path)) return;
  const entries = readdirSync(path).filter((entry) => !entry.startsWith('.terraform'));
  const [foreign] = entries.filter((entry) => !OWN.includes(entry) || !entries.includes(MAIN));
  if (foreign === undefined) return;
  throw usageError(
    `\`--module\` must be a new folder, or one that this command wrote, got: "${folder}", which holds ${foreign}`,
  );
}
