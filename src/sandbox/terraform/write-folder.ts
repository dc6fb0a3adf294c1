import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listBounded, readBounded, UnboundedFile } from '../../files/bounded-read.js';
import { writeWhole } from '../../files/whole-file.js';
import { findCallInTemplate, type Refuse } from './calls.js';
import { type Changes, writeConfiguration } from './configuration.js';
import type { Understood } from './understand.js';

/** Files that Terraform loads from a folder besides JSON configuration. */
const VARIABLES = /^(?:terraform\.tfvars|[^.].*\.auto\.tfvars|\.auto\.tfvars)(?:\.json)?$/;
const CONFIGURATION = /\.(?:tf|tofu)(?:\.json)?$|\.tfvars(?:\.json)?$/;

/** The name of the configuration that a sandbox writes: that of cdktf, by which a check finds its stack. */
const WRITTEN = 'cdk.tf.json';

/** Read by a check, and never by Terraform. */
const READ_BY_CHECKS = ['access.json'];

interface StackSource {
  readonly folder: string;
  readonly understood: Understood;
}

function decode(content: Buffer, name: string, refuse: Refuse): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw refuse('must be written in UTF-8', name);
  }
}

/**
 * Writes the folder that Terraform runs in: one file of JSON configuration, variables, and the
 * files that functions read. What Terraform has written there, such as plans and providers, stays.
 *
 * @throws what `refuse` makes, for a file that cannot be taken
 */
export function writeStackFolder(
  { folder, understood }: StackSource,
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
  const json = writeConfiguration(understood, changes);
  write(WRITTEN, `${JSON.stringify(json, null, 2)}\n`);
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
