import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listBounded, readBounded, UnboundedFile } from '../../files/bounded-read.js';
import { writeWhole } from '../../files/whole-file.js';
import { backendOf, type Changes, writeConfiguration } from './configuration.js';
import { findRefusal } from './hcl.js';
import { findCallInTemplate, type Refuse, type Understood } from './understand.js';

/** Files that Terraform loads from a folder besides JSON configuration. */
const VARIABLES = /^(?:terraform\.tfvars|[^.].*\.auto\.tfvars|\.auto\.tfvars)(?:\.json)?$/;
const HCL = /\.tf$/;
const TOFU = /\.tofu(?:\.json)?$/;
const CONFIGURATION = /\.(?:tf|tofu)(?:\.json)?$|\.tfvars(?:\.json)?$/;

/** The name of the configuration that a sandbox writes: that of cdktf, by which a check finds its stack. */
const WRITTEN = 'cdk.tf.json';
const OVERRIDE = 'sandbox_override.tf.json';

/** Read by a check, and never by Terraform. */
const READ_BY_CHECKS = ['access.json'];

export interface StackSource {
  readonly folder: string;
  readonly understood: Understood;
  /** The files in HCL that are taken, by their names. */
  readonly hcl: ReadonlyMap<string, Buffer>;
}

/**
 * Reads what Terraform would load from a stack's folder besides its JSON.
 *
 * @throws what `refuse` makes, for HCL that a sandbox does not understand
 */
export function readHcl(folder: string, refuse: Refuse): Map<string, Buffer> {
  const names = listOwn(folder, refuse).filter((name) => !name.startsWith('.'));
  const tofu = names.find((name) => TOFU.test(name));
  if (tofu !== undefined) throw refuse('must hold no files of OpenTofu alone', tofu);
  return new Map(
    names
      .filter((name) => HCL.test(name))
      .map((name) => [name, checkedHcl(folder, name, refuse)] as const),
  );
}

function checkedHcl(folder: string, name: string, refuse: Refuse): Buffer {
  if (name === 'override.tf' || name.endsWith('_override.tf')) {
    throw refuse('must hold no override files in HCL', name);
  }
  const content = readOwn(folder, name, refuse);
  const found = findRefusal(decode(content, name, refuse));
  if (found === undefined) return content;
  throw refuse(
    'must hold blocks, types and functions that a sandbox understands; it has no remote states, modules, provisioners or functions that read files in HCL',
    `${found.word} (${name}:${found.line})`,
  );
}

function decode(content: Buffer, name: string, refuse: Refuse): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw refuse('must be written in UTF-8', name);
  }
}

/**
 * Writes the folder that Terraform runs in: one file of JSON configuration, what was taken in HCL under
 * names of the sandbox, variables, and the files that functions read. What Terraform has written there,
 * such as plans and providers, stays.
 *
 * @throws what `refuse` makes, for a file that cannot be taken
 */
export function writeStackFolder(
  { folder, understood, hcl }: StackSource,
  target: string,
  changes: Changes,
  refuse: Refuse,
): void {
  mkdirSync(target, { recursive: true });
  removeConfiguration(target);
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    writeWhole(join(target, name), content, { isDurable: false });
  };
  const hasOverride = hcl.size > 0;
  const json = writeConfiguration(understood, { ...changes, hasOverride });
  write(WRITTEN, `${JSON.stringify(json, null, 2)}\n`);
  if (hasOverride) {
    write(OVERRIDE, `${JSON.stringify({ terraform: backendOf(changes.states.own) }, null, 2)}\n`);
  }
  for (const [index, content] of [...hcl.values()].entries()) {
    write(`configuration-${index + 1}.tf`, content);
  }
  const take = (name: string) => readOwn(folder, name, refuse);
  const beside = listOwn(folder, refuse).filter((name) => VARIABLES.test(name));
  for (const name of [...beside, ...READ_BY_CHECKS]) {
    if (beside.includes(name) || existsSync(join(folder, name))) write(name, take(name));
  }
  // An earlier tree may have had one that this one lacks, or a file in the place of a folder.
  for (const name of understood.assets.keys()) {
    rmSync(join(target, name.split('/')[0] ?? ''), { recursive: true, force: true });
  }
  for (const [name, use] of understood.assets) {
    if (!existsSync(join(folder, name))) continue;
    const content = take(name);
    if (use === 'template') requirePureTemplate(name, content, refuse);
    write(name, content);
  }
}

/** Removes an earlier configuration, which would be loaded as well. */
function removeConfiguration(target: string): void {
  for (const name of listBounded(target)) {
    if (CONFIGURATION.test(name)) rmSync(join(target, name), { recursive: true });
  }
}

function requirePureTemplate(name: string, content: Buffer, refuse: Refuse): void {
  const call = findCallInTemplate(decode(content, name, refuse));
  if (call !== undefined) {
    throw refuse('must hold templates that read no files', `${call} in ${name}`);
  }
}

function listOwn(folder: string, refuse: Refuse): string[] {
  try {
    return listBounded(folder);
  } catch (error) {
    throw refuse(error instanceof UnboundedFile ? error.message : 'must be readable', folder);
  }
}

function readOwn(folder: string, name: string, refuse: Refuse): Buffer {
  try {
    return readBounded(join(folder, name), { within: folder });
  } catch (error) {
    const rule = error instanceof UnboundedFile ? error.message : 'must be a readable file';
    throw refuse(rule, name);
  }
}
