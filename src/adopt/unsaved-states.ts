import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { ConnectivityError } from '../codes/connectivity-error.js';
import { safeText } from '../codes/redact.js';
import { shellWord } from '../files/escape.js';
import { makeFolder, writeWhole } from '../files/whole-file.js';
import { withWaitNotice } from '../progress/waiting.js';
import { pullState, pushState } from '../terraform/commands.js';
import { readStackFile } from '../terraform/configuration-files.js';
import { UNSAVED_FOLDER_VARIABLE } from '../terraform/program.js';
import { placeOfStack } from '../terraform/state-place.js';
import type { TerraformFolder } from '../terraform/terraform-folder.js';
import type { State } from './own-state.js';

/** The file in which Terraform leaves a state that it could not save. */
const ERRORED_STATE = 'errored.tfstate';

/** A stack whose unsaved states are looked after, and where lines about them go. */
type Stack = TerraformFolder & { say(text: string): void };

const lineageSchema = z.looseObject({ lineage: z.string().regex(/^[\w-]{1,64}$/) });

/** The folder outside of any tree in which states wait that Terraform could not save. */
function unsavedFolder(): string {
  const { [UNSAVED_FOLDER_VARIABLE]: given, XDG_STATE_HOME: home } = process.env;
  const lasting = home || join(homedir(), '.local', 'state');
  return resolve(given || join(lasting, 'secure-connectivity', 'errored'));
}

/**
 * Saves the states that earlier runs of this stack could not save: without them, Terraform would make
 * everything again that those runs made. Only what such a run has put aside is pushed, to the state whose
 * lineage it has, or where there is none yet, to the place that it was made for.
 *
 * @throws ConnectivityError `deploy.state`
 */
export async function saveUnsavedStates(stack: Stack): Promise<void> {
  refuseErroredInTree(stack);
  const waiting = waitingStates(stack);
  if (waiting.length === 0) return;
  // Some backends give an empty state without a lineage where they have none.
  let { lineage = '' } = (await pullState(stack)) as State;
  for (const state of waiting) {
    if (lineage === '' ? !state.isHere : state.lineage !== lineage) {
      stack.say(
        `${state.file} holds a state that an earlier run of a stack ${stack.name} could not save, and is not pushed, because it is of another lineage; remove it when it is of no use`,
      );
      continue;
    }
    const error = await push(stack, state.file);
    if (error !== undefined) throw error;
    lineage = state.lineage;
    stack.say(`saved the state of ${stack.name} that an earlier run left in ${state.file}`);
  }
}

/** A tree may come from anyone: what lies in it is never pushed. @throws ConnectivityError `deploy.state` */
function refuseErroredInTree({ name, folder, program }: TerraformFolder): void {
  const file = join(folder, ERRORED_STATE);
  if (!existsSync(file)) return;
  throw new ConnectivityError(
    'deploy.state',
    `the folder of ${name} must hold no state that a run could not save, because none is pushed from a tree, got: ${file}; nothing was changed. If it is of a run of yours, push it with: ${shellWord(program)} -chdir=${shellWord(folder)} state push ${ERRORED_STATE}; then remove it`,
  );
}

/** States that were put aside for a stack of this name. */
function waitingStates({ name, folder }: Stack) {
  const unsaved = unsavedFolder();
  if (!existsSync(unsaved)) return [];
  const prefix = prefixOf(name);
  const own = readdirSync(unsaved).filter((file) => file.startsWith(prefix));
  if (own.length === 0) return [];
  const here = placeMark(folder);
  return own.sort().flatMap((file) => {
    const [, lineage, place] =
      /^([\w-]+)\.([\da-f]{16})\.tfstate$/.exec(file.slice(prefix.length)) ?? [];
    if (lineage === undefined) return [];
    return [{ file: join(unsaved, file), lineage, isHere: place === here }];
  });
}

const prefixOf = (stack: string) => `${encodeURIComponent(stack)}.`;

/** Distinguishes the places of states, without telling them. */
function placeMark(folder: string): string {
  const { terraform } = readStackFile(folder);
  const place = [placeOfStack(terraform, folder), process.env.TF_WORKSPACE ?? ''];
  return createHash('sha256').update(JSON.stringify(place)).digest('hex').slice(0, 16);
}

/**
 * Puts the state aside that the run which has just ended could not save, and saves it as far as the
 * backend is there again.
 */
export async function keepUnsavedState(stack: Stack): Promise<void> {
  const file = putAside(stack);
  if (file === undefined) return;
  for (const pause of [0, 2_000, 5_000]) {
    await withWaitNotice('the backend, to save the state again', () => sleep(pause));
    const error = await push(stack, file);
    if (error === undefined) {
      stack.say(`the state of ${stack.name} has now been saved; deploy again`);
      return;
    }
    if (pause === 5_000) stack.say(`${error.code}: ${error.message}`);
  }
}

/** @returns the file in which the state is now; undefined where there is none to save */
function putAside({ name, folder, say }: Stack): string | undefined {
  const left = join(folder, ERRORED_STATE);
  if (!existsSync(left)) return undefined;
  const unsaved = unsavedFolder();
  try {
    const text = readFileSync(left, 'utf8');
    const { lineage } = lineageSchema.parse(JSON.parse(text));
    // One that was there before may have others' files in it.
    if (makeFolder(unsaved) !== undefined) chmodSync(unsaved, 0o700);
    const file = join(unsaved, `${prefixOf(name)}${lineage}.${placeMark(folder)}.tfstate`);
    writeWhole(file, text, { mode: 0o600 });
    rmSync(left);
    return file;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    say(`the state of ${name} could not be moved to ${unsaved} (${code ?? safeText(message)})`);
    return left;
  }
}

async function push(stack: TerraformFolder, file: string) {
  const { name } = stack;
  const { status, stderr } = await pushState(stack, file);
  if (status === 0) {
    rmSync(file);
    return undefined;
  }
  return new ConnectivityError(
    'deploy.state',
    `${file} holds what a run of ${name} created, and it could not be saved: ${safeText(stderr)}; keep the file. When the backend accepts states again, deploy again, which saves it, or save it where ${name} is initialized with: terraform state push ${shellWord(file)}; remove it only when the state has everything in it`,
  );
}
