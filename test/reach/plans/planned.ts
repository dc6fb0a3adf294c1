import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reachTable } from '../../../src/reach/questions/table.js';
import { parsePlan } from '../../../src/reach/read/plan/parse-plan.js';
import { type PlanStacks, planStacks } from '../../../src/reach/read/plan/plan-stacks.js';
import { type AskedStack, type Reached, readReached } from '../../../src/reach/ways/doors.js';
import type { Stack, StandInTerraform } from '../../sandbox/provider/stand-in-terraform.js';

/** Plans what stands in a folder, and reads what Terraform shows of it. */
export async function planned(stack: Stack): Promise<PlanStacks> {
  return planStacks(parsePlan(await shown(stack), 'plan.json'));
}

/** What `terraform show -json` prints of a plan. */
export async function shown(stack: Stack): Promise<string> {
  await stack.must('plan', '-out=plan', '-input=false', '-lock=false');
  return await stack.must('show', '-json', 'plan');
}

/** Terraform in a folder with these files of HCL or JSON, and nothing else. */
export async function rootOf(
  terraform: StandInTerraform,
  files: Readonly<Record<string, string>>,
): Promise<Stack> {
  const stack = terraform.emptyStack();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(stack.folder, dirname(name)), { recursive: true });
    writeFileSync(join(stack.folder, name), text);
  }
  await stack.must('init', '-input=false');
  return stack;
}

export function reachedOf(asked: Omit<AskedStack, 'file' | 'name'>): Reached {
  return readReached({ name: 'stack', file: 'stack', ...asked });
}

/** The rows of a table, sorted; the sentences on what they depend on as they are. */
export function rowsOf(stack: Reached): string[] {
  return reachTable([stack])
    .map((row) => JSON.stringify(row))
    .sort();
}
