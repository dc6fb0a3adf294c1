#!/usr/bin/env node
/**
 * Compares the cloud with the state, and the state with the code, for every stack of a tree.
 *
 *   drift.mjs TREE [CLOUD_TREE]
 *
 * CLOUD_TREE gets the stacks as the cloud has them, for `secure-connectivity review --base TREE
 * --head CLOUD_TREE`.
 *
 * Exit status: 0 no difference, 2 a difference, 1 a plan failed.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import {
  describe,
  differentNames,
  isDifference,
  isUpdate,
  writtenNames,
} from './resource-change.mjs';

/** The provider keeps a deleted object in the state with this warning, and Terraform plans nothing. */
const GONE = 'Resource Not Found During Refresh';

const [tree = '', cloudTree] = process.argv.slice(2);
if (tree === '') fail('`TREE` must be given, got: nothing');
const stacks = join(tree, 'stacks');
const names = readdirSync(stacks, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
if (names.length === 0) fail(`\`TREE\` must hold a stack, got: ${tree}`);
process.exitCode = worst(names.map(checkStack));

/** @param {string} name @returns {0 | 1 | 2} */
function checkStack(name) {
  const folder = join(stacks, name);
  const plans = mkdtempSync(join(tmpdir(), 'drift-'));
  try {
    const init = terraform(folder, ['init', '-input=false', '-no-color']);
    if (init.status !== 0) throw new Error(init.stderr);
    // What a plan leaves out where the code does not depend on it, a refresh shows.
    const refreshed = plan(folder, join(plans, 'refresh'), ['-refresh-only']);
    const planned = plan(folder, join(plans, 'plan'), []);
    const gone = new Set([...refreshed.gone, ...planned.gone]);
    const code = JSON.parse(readFileSync(join(folder, 'cdk.tf.json'), 'utf8'));
    const drifted = (refreshed.shown.resource_drift ?? [])
      .filter(isDifference)
      .filter((drift) => !isUpdate(drift) || writtenNames(code, drift).length > 0);
    const changed = (planned.shown.resource_changes ?? []).filter(isDifference);
    const lines = [
      ...[...gone].map(
        (address) =>
          `${address} is gone from the cloud and still in the state: terraform state rm '${address}', then deploy`,
      ),
      ...drifted.flatMap((drift) => describe(drift, 'in the cloud', writtenNames(code, drift))),
      ...changed.flatMap((change) => describe(change, 'by the code', differentNames(change))),
    ];
    if (cloudTree !== undefined) writeCloud(name, code, drifted, gone);
    for (const line of lines) say(`${name}: ${line}`);
    say(lines.length === 0 ? `${name} is as the code says` : `${name} differs from the code`);
    return lines.length === 0 ? 0 : 2;
  } catch (error) {
    say(`${name} cannot be planned: ${error.message.trim()}`);
    return 1;
  } finally {
    rmSync(plans, { recursive: true, force: true });
  }
}

/** @param {string} folder @param {string} file @param {string[]} options */
function plan(folder, file, options) {
  const args = ['plan', '-json', '-input=false', '-lock=false', `-out=${file}`, ...options];
  const ended = terraform(folder, args);
  const diagnostics = ended.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .flatMap((line) => JSON.parse(line).diagnostic ?? []);
  if (ended.status !== 0) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    throw new Error(
      errors.map(({ summary, detail }) => `${summary}: ${detail}`).join('; ') || ended.stderr,
    );
  }
  const shown = terraform(folder, ['show', '-json', file]);
  if (shown.status !== 0) throw new Error(shown.stderr);
  const gone = diagnostics.filter(({ summary }) => summary === GONE);
  return {
    gone: gone.map(({ address }) => address ?? 'a resource that Terraform does not name'),
    shown: JSON.parse(shown.stdout),
  };
}

/** The stack as the cloud has it: what drifted with the cloud's value, what is gone left out. */
function writeCloud(name, code, drifted, gone) {
  const folder = join(cloudTree, 'stacks', name);
  mkdirSync(folder, { recursive: true });
  const access = join(stacks, name, 'access.json');
  if (existsSync(access)) cpSync(access, join(folder, 'access.json'));
  const cloud = structuredClone(code);
  const removed = [...gone];
  for (const drift of drifted) {
    const body = cloud.resource?.[drift.type]?.[drift.name];
    if (body === undefined) continue;
    if (!isUpdate(drift)) removed.push(drift.address);
    for (const key of writtenNames(code, drift)) body[key] = drift.change.after?.[key];
  }
  for (const address of removed) {
    const [type, resource] = address.split('.');
    if (cloud.resource?.[type]) delete cloud.resource[type][resource];
  }
  writeFileSync(join(folder, 'cdk.tf.json'), JSON.stringify(cloud, undefined, 2));
}

/** @param {string} folder @param {string[]} args */
function terraform(folder, args) {
  const ended = spawnSync(
    process.env.TERRAFORM_BINARY_NAME || 'terraform',
    [`-chdir=${resolve(folder)}`, ...args],
    {
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    },
  );
  if (ended.error) throw ended.error;
  return ended;
}

/** @param {number[]} statuses a failed plan counts more than a difference */
function worst(statuses) {
  return statuses.includes(1) ? 1 : Math.max(...statuses);
}

function say(text) {
  process.stdout.write(`drift: ${text}\n`);
}

function fail(text) {
  process.stderr.write(`drift.mjs: ${text}\n`);
  process.exit(2);
}
