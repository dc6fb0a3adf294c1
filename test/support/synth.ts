import { TerraformStack, Testing } from 'cdktf';
import { CloudProvider } from '../../src/cloud/cloud-provider.js';
import { StackAccess } from '../../src/constructs/stack-access.js';
import { testingApp } from './testing-app.js';

/** One synthesized stack, read back as plain data. */
export interface Synthesized {
  readonly json: {
    readonly resource: Record<string, Record<string, Record<string, unknown>>>;
    readonly output: Record<string, { value: string }>;
    readonly provider: Record<string, Record<string, unknown>[]>;
  };
  readonly text: string;
  readonly rules: ReturnType<StackAccess['model']>['rules'];
  readonly digest: string;
}

/** Synthesizes one stack in memory, validations included. */
export function synth(build: (stack: TerraformStack) => void): Synthesized {
  const app = testingApp();
  const stack = new TerraformStack(app, 'test');
  new CloudProvider(stack, 'cloud', { region: 'cn-beijing' });
  build(stack);
  const text = Testing.synth(stack, true);
  const { rules, digest } = StackAccess.of(stack).model();
  return { json: JSON.parse(text), text, rules, digest };
}

/** The resources of a type, by their name in Terraform. */
export function resources(synthesized: Synthesized, type: string) {
  return synthesized.json.resource[type] ?? {};
}

/** The only resource of a type. */
export function onlyResource(synthesized: Synthesized, type: string): Record<string, unknown> {
  const all = Object.values(resources(synthesized, type));
  if (all.length !== 1 || all[0] === undefined) throw new Error(`${all.length} of ${type}`);
  return all[0];
}
