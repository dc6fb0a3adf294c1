import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type AccessFile, accessFileSchema } from '../../access/access-file.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { issueText } from '../../codes/issue-text.js';
import { readTerraform, type TerraformStackJson } from './terraform-json.js';
import { findTerraformProblem } from './terraform-problem.js';

/** One stack of a synthesized tree. */
export interface SynthesizedStack {
  readonly name: string;
  readonly terraform: TerraformStackJson;
  /** Absent where no access rules were written: a stack that is not made with this package. */
  readonly access?: AccessFile;
}

/** Stacks by name. */
export type SynthesizedTree = ReadonlyMap<string, SynthesizedStack>;

/**
 * Reads what `cdktf synth` wrote. An empty folder is a tree without stacks: the base of a first
 * pull request.
 *
 * @throws ConnectivityError `review.tree`
 */
export function readTree(folder: string, option: string): SynthesizedTree {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw notATree(option, folder, 'must be a folder that `cdktf synth --output` wrote');
  }
  const stacks = join(folder, 'stacks');
  if (!existsSync(stacks)) {
    if (readdirSync(folder).length === 0) return new Map();
    throw notATree(option, folder, 'must hold a folder `stacks`, or nothing at all');
  }
  const names = readdirSync(stacks, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
  return new Map(names.map((name) => [name, readStack(join(stacks, name), name, option)]));
}

function readStack(folder: string, name: string, option: string): SynthesizedStack {
  const terraformFile = join(folder, 'cdk.tf.json');
  const terraform = readJson(terraformFile, option);
  const terraformProblem = findTerraformProblem(terraform);
  if (terraformProblem !== undefined) throw notATree(option, terraformFile, terraformProblem);
  const accessFile = join(folder, 'access.json');
  if (!existsSync(accessFile)) return { name, terraform: readTerraform(terraform) };
  const access = accessFileSchema.safeParse(readJson(accessFile, option), { reportInput: true });
  if (access.success) return { name, terraform: readTerraform(terraform), access: access.data };
  const [problem] = access.error.issues.map((issue) => issueText(issue));
  throw notATree(option, accessFile, `must hold access rules that this version reads; ${problem}`);
}

function readJson(file: string, option: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw notATree(option, file, 'must hold JSON', cause);
  }
}

function notATree(option: string, path: string, rule: string, cause?: unknown): ConnectivityError {
  return new ConnectivityError(
    'review.tree',
    `\`${option}\` ${rule}, got: ${path}`,
    cause === undefined ? {} : { cause },
  );
}
