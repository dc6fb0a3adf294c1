import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import { Resource } from '@cdktf/provider-null/lib/resource/index.js';
import { App, Lazy, TerraformOutput, TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
import { refuse } from './invalid.js';
import type { Linked } from './linked.js';
import { linksExpression } from './links-expression.js';
import { StackAccess } from './stack-access.js';

export interface PostDeployCheckProps {
  /** The constructs whose links are checked. */
  readonly links: readonly Linked[];
  /**
   * `required`: a failed check fails the deploy, and the next deploy checks again. `report`: the
   * report is printed and the deploy goes on. `off`: nothing is checked.
   *
   * @default 'required'
   */
  readonly mode?: 'required' | 'report' | 'off';
  /** When to check: after a change of links, endpoint or access rules, or at every deploy. @default 'change' */
  readonly runOn?: 'change' | 'every-deploy';
  /** Seconds to wait for what may heal by itself. @default 300 */
  readonly waitSeconds?: number;
}

/**
 * The last thing that a deploy does: the verifier calls the service over what was just built. Who
 * deploys gives the credentials in the environment; the stack holds none.
 */
export class PostDeployCheck extends Construct {
  constructor(scope: Construct, id: string, props: PostDeployCheckProps) {
    super(scope, id);
    refuse(scope, id, checkProblems(props));
    const stack = TerraformStack.of(this);
    const access = StackAccess.of(this);
    const links = linksExpression(props.links, access.digest);
    new TerraformOutput(stack, 'connectivity', {
      value: links,
      description: 'links to the service, for secure-connectivity verify --outputs-file',
    });
    const mode = props.mode ?? 'required';
    if (mode === 'off') return;
    ensureNullProvider(stack);
    new Resource(this, 'Default', {
      triggers: {
        links,
        access: access.digest,
        ...(props.runOn === 'every-deploy' && { deployed: '${timestamp()}' }),
      },
      dependsOn: [...new Set(props.links.flatMap(({ resources }) => resources))],
      provisioners: [
        {
          type: 'local-exec',
          interpreter: ['node', verifierPath(stack), 'verify', ...checkArguments(mode, props)],
          command: '--links-from-environment',
          environment: { SECURE_CONNECTIVITY_LINKS: links },
        },
      ],
    });
  }
}

function checkProblems({ links, waitSeconds }: PostDeployCheckProps): string[] {
  return [
    ...(links.length === 0 ? ['`links` must have at least one link'] : []),
    ...(waitSeconds !== undefined && !(waitSeconds >= 0)
      ? [`\`waitSeconds\` must be 0 or more, got: ${waitSeconds}`]
      : []),
  ];
}

function checkArguments(mode: 'required' | 'report', props: PostDeployCheckProps): string[] {
  return [
    '--wait',
    `${props.waitSeconds ?? 300}s`,
    ...(mode === 'report' ? ['--report-only'] : []),
  ];
}

function ensureNullProvider(stack: TerraformStack): void {
  const has = stack.node.findAll().some((node) => node instanceof NullProvider);
  if (!has) new NullProvider(stack, 'null');
}

/**
 * The verifier's program, relative to the folder that Terraform runs in, so that the synthesized
 * stack is the same on every machine that lays the project out alike.
 */
function verifierPath(stack: TerraformStack): string {
  return Lazy.stringValue({
    produce: () => {
      const folder = resolve(App.of(stack).outdir, 'stacks', stack.node.id);
      return relative(folder, join(packageFolder(), 'dist', 'cli', 'main.js'))
        .split(sep)
        .join('/');
    },
  });
}

function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
