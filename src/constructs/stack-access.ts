import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Lazy, TerraformOutput, TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { accessDigest, accessModel } from '../access/access-model.js';
import type { AccessRule } from '../access/access-rule.js';
import { shared } from '../package/shared.js';
import { refuseSharedStateAtSynth } from './shared-state.js';
import { warnIfExpired } from './warnings.js';

/** The access rules of a whole stack, and the only place that writes them out. */
export class StackAccess {
  static readonly #ofStack = shared(
    'access-of-stacks',
    () => new WeakMap<TerraformStack, StackAccess>(),
  );

  /** The access rules of the stack that holds a construct. */
  static of(scope: Construct): StackAccess {
    const stack = TerraformStack.of(scope);
    const known = StackAccess.#ofStack.get(stack);
    if (known !== undefined) return known;
    const made = new StackAccess(stack);
    StackAccess.#ofStack.set(stack, made);
    return made;
  }

  readonly #rules: AccessRule[] = [];

  private constructor(readonly stack: TerraformStack) {
    new TerraformOutput(stack, 'access-digest', {
      value: this.digest,
      description: 'SHA-256 of who may talk to whom, as reviewed in access.json',
    });
    writeAtSynth(stack, () => this.model());
    refuseSharedStateAtSynth(stack);
  }

  /** Adds a construct's rules and gives them back. */
  add(rules: readonly AccessRule[]): readonly AccessRule[] {
    this.#rules.push(...rules);
    for (const { exception } of rules) warnIfExpired(this.stack, exception);
    return rules;
  }

  /** The digest of all rules, as a token: constructs made later may still add to it. */
  get digest(): string {
    return Lazy.stringValue({ produce: () => accessDigest(this.#rules) });
  }

  model() {
    return accessModel(this.stack.node.id, this.#rules);
  }
}

// cdktf does not export its hook for custom synthesis; its synthesizer is public and knows the folder.
function writeAtSynth(stack: TerraformStack, model: () => unknown): void {
  const inner = stack.synthesizer;
  stack.synthesizer = {
    synthesize(session) {
      inner.synthesize(session);
      const { workingDirectory } = session.manifest.forStack(stack);
      const file = join(session.outdir, workingDirectory, 'access.json');
      writeFileSync(file, `${JSON.stringify(model(), null, 2)}\n`);
    },
  };
}
