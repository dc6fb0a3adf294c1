import { checkAccessModel } from '../../access/access-file.js';
import type { AccessModel } from '../../access/access-model.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { difference } from '../../render/difference.js';
import type { Target } from '../../render/model.js';
import {
  clientSide,
  mergeModel,
  requireClientSide,
  selectRules,
} from '../../render/select-rules.js';
import { readNamedFile, readNamedJson } from '../program/read-named-file.js';
import { writeNamedFile } from '../program/write-named-file.js';

export interface RenderFlags {
  readonly access: string;
  readonly rules?: readonly string[];
  readonly merge?: boolean;
  readonly check?: string;
  readonly output?: string;
}

/** The status of a file that is not up to date. */
const DIFFERS = 3;

/** Renders the chosen rules, or compares them with a file in use, and answers the exit status. */
export async function renderRules(target: Target, flags: RenderFlags): Promise<number> {
  const model = await readModel(target, flags);
  const text = target.render(flags.merge ? mergeModel(model) : model);
  if (flags.check !== undefined) return await check(target, text, flags.check);
  if (flags.output === undefined) process.stdout.write(text);
  else writeNamedFile('--output', flags.output, text);
  return 0;
}

async function readModel(
  { name, showsRules }: Target,
  { access, rules = [] }: RenderFlags,
): Promise<AccessModel> {
  const model = checkAccessModel(await readNamedJson('--access', access));
  if (showsRules) return selectRules(model, rules);
  const selected = selectRules(clientSide(model), rules);
  requireClientSide(selected, name);
  return selected;
}

async function check(target: Target, text: string, file: string): Promise<number> {
  const inUse = await readNamedFile('--check', file);
  const lines = differenceLines(target, text, inUse);
  if (lines.length === 0) {
    process.stdout.write(`${file} is up to date\n`);
    return 0;
  }
  process.stdout.write(`${file} is not up to date\n${lines.map((line) => `${line}\n`).join('')}`);
  return DIFFERS;
}

function differenceLines({ parse }: Target, text: string, inUse: string): string[] {
  if (parse === undefined) return inUse === text ? [] : ['it is another text'];
  try {
    return difference(parse(inUse), parse(text));
  } catch (error) {
    if (error instanceof ConnectivityError && error.code === 'render.unreadable') {
      return [error.message];
    }
    throw error;
  }
}
