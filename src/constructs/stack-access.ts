import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DefaultTokenResolver,
  Lazy,
  StringConcat,
  TerraformOutput,
  type TerraformResource,
  TerraformStack,
  TerraformVariable,
  Tokenization,
} from 'cdktf';
import type { Construct } from 'constructs';
import { accessModel, type EndpointAddresses, rulesDigest } from '../access/access-model.js';
import type { AccessRule } from '../access/access-rule.js';
import { isInModule } from '../cloud/module-context.js';
import { isOfMissingProvider } from '../cloud/resource.js';
import type { Intents, TreeIntents } from '../intents/intents-file.js';
import { INTENTS_FILE } from '../intents/tree-file.js';
import { shared } from '../package/shared.js';
import { keepMistakes, refuseMistakes, throwMistakes, warnIfExpired } from './mistakes.js';
import { refuseSharedStateAtSynth } from './state-backend.js';

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
  readonly #carriers = new Map<AccessRule, TerraformResource[]>();
  readonly #endpoints: EndpointAddresses[] = [];
  /** Sentences that the stack is to keep to, and the environment that it is of. */
  intents: TreeIntents | undefined;

  private constructor(readonly stack: TerraformStack) {
    new TerraformOutput(stack, 'rules-digest', {
      value: this.digest,
      description: 'SHA-256 of who may talk to whom, as reviewed in access.json',
    });
    if (!isInModule(stack)) reportReviewedFiles(stack);
    writeAtSynth(stack, this);
    refuseSharedStateAtSynth(stack);
  }

  /** Adds a construct's rules, even after its construction, and returns them. */
  add(rules: readonly AccessRule[]): readonly AccessRule[] {
    this.#rules.push(...rules);
    for (const { exception } of rules) warnIfExpired(this.stack, exception);
    return rules;
  }

  /** Records which resource enforces rules: all that is needed to know whose its packets are. */
  carry(rules: readonly AccessRule[], resource: TerraformResource): void {
    for (const rule of rules) {
      this.#carriers.set(rule, [...(this.#carriers.get(rule) ?? []), resource]);
    }
  }

  /** Records where clients find an endpoint, for their own firewalls. */
  addEndpoint(endpoint: EndpointAddresses): void {
    this.#endpoints.push(endpoint);
  }

  /** The digest of all rules, as a token: constructs made later may still add to it. */
  get digest(): string {
    return Lazy.stringValue({
      produce: () => {
        refuseMistakes(this.stack);
        return rulesDigest(this.#resolved(this.#rules));
      },
    });
  }

  model() {
    return accessModel(
      this.stack.node.id,
      this.#resolved(this.#rules.map((rule) => this.#withCarriers(rule))),
      this.#resolved(this.#endpoints),
    );
  }

  #withCarriers(rule: AccessRule): AccessRule {
    const resources = this.#carriers.get(rule) ?? [];
    const carriers = resources.map(
      ({ terraformResourceType, friendlyUniqueId }) =>
        `${terraformResourceType}.${friendlyUniqueId}`,
    );
    return { ...rule, carriers: [...(rule.carriers ?? []), ...carriers] };
  }

  /** Names may be tokens: the expression that Terraform evaluates is written in their place. */
  #resolved<T>(values: readonly T[]): readonly T[] {
    return Tokenization.resolve(values, {
      scope: this.stack,
      resolver: new DefaultTokenResolver(new StringConcat()),
      preparing: false,
    });
  }
}

/**
 * Reports mistakes of a construct when its stack is synthesized, together with those of all others.
 * Until then a construct that has some makes nothing.
 *
 * @returns whether there are any
 */
export function reportProblems(construct: Construct, problems: readonly string[]): boolean {
  if (problems.length === 0) return false;
  construct.node.addValidation({ validate: () => [...problems] });
  keepMistakes(construct, problems);
  // Where no validation runs, as in unit tests, the stack's digest refuses them.
  StackAccess.of(construct);
  return true;
}

/** Repeats what `deploy --reviewed` says that it has deployed. */
function reportReviewedFiles(stack: TerraformStack): void {
  const files = new TerraformVariable(stack, 'reviewed_files', {
    type: 'string',
    default: '',
    description: 'set by deploy --reviewed',
  });
  new TerraformOutput(stack, 'reviewed-files', {
    value: files.value,
    description: 'SHA-256 of the files of the stack, if deployed with --reviewed',
  });
}

// cdktf does not export its hook for custom synthesis; its synthesizer is public and knows the folder.
function writeAtSynth(stack: TerraformStack, access: StackAccess): void {
  const inner = stack.synthesizer;
  stack.synthesizer = {
    synthesize(session) {
      if (!session.skipValidation) throwMistakes(validated(stack));
      inner.synthesize(session);
      const { workingDirectory } = session.manifest.forStack(stack);
      const folder = join(session.outdir, workingDirectory);
      writeJson(join(folder, 'access.json'), access.model());
      const file = join(folder, INTENTS_FILE);
      if (access.intents === undefined) rmSync(file, { force: true });
      else writeJson(file, access.intents);
    },
  };
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Keeps a file of intents beside a stack: deploys, reviews and rehearsals judge the synthesized tree by
 * it. Without an environment, intents for some environments only do not apply.
 *
 * @example
 * ```ts
 * keepIntents(stack, {
 *   intents: [
 *     { name: 'branches call', from: '10.30.0.0/16', to: 'agent-service', expect: 'reachable' },
 *   ],
 * });
 * ```
 */
export function keepIntents(stack: TerraformStack, intents: Intents, environment?: string): void {
  const { $schema: _, ...own } = intents;
  StackAccess.of(stack).intents = { ...own, ...(environment !== undefined && { environment }) };
}

/** Runs the validations of a stack's constructs and returns their messages as mistakes. */
function validated(stack: TerraformStack) {
  return stack.node
    .findAll()
    .map(({ node }) => ({
      path: node.path,
      problems: node.validate().filter((problem) => !isOfMissingProvider(problem)),
    }))
    .filter(({ problems }) => problems.length > 0);
}
