import { join, relative, resolve, sep } from 'node:path';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import { Resource } from '@cdktf/provider-null/lib/resource/index.js';
import { App, Lazy, TerraformOutput, TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
import { packageFolder } from '../package/package-folder.js';
import { refuse } from './invalid.js';
import type { Connected, Linked } from './linked.js';
import { linksExpression } from './links-expression.js';
import { StackAccess } from './stack-access.js';

export interface PostDeployCheckProps {
  /** The constructs whose links are checked. */
  readonly links: readonly Linked[];
  /** The constructs whose connections from the service are told as of the deploy. @default - none */
  readonly connected?: readonly Connected[];
  /**
   * Key pairs that the check proves one after the other, up to three.
   * @default - the one in the environment of whoever deploys
   */
  readonly keyPairs?: readonly KeyPair[];
  /**
   * `required`: a failed check fails the deploy, and the next deploy checks again. `report`: the
   * report is printed and the deploy goes on. `off`: nothing is checked.
   *
   * @default 'required'
   */
  readonly mode?: 'required' | 'report' | 'off';
  /** When to check: after a change of links, endpoint or access rules, or at every deploy. @default 'change' */
  readonly runOn?: 'change' | 'every-deploy';
  /** Seconds to keep retrying transient failures. @default 300 */
  readonly waitSeconds?: number;
}

/** One key pair of the application. The key itself stays in its file. */
export interface KeyPair {
  /** The public key fingerprint. */
  readonly kid: string;
  /** The private key's file, relative to the project's folder. */
  readonly keyFile: string;
}

/** Key pairs that an application can have; specification, part 2.1. */
const MOST_KEY_PAIRS = 3;

/** In the folder of the synthesized stack. */
const RESULT_FILE = 'connectivity-check.json';

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
    const connections = props.connected?.flatMap((one) => one.connections);
    const links = linksExpression(props.links, access.digest, connections);
    const hasLinks = props.links.length > 0;
    new TerraformOutput(stack, hasLinks ? 'connectivity' : 'connections', {
      value: links,
      description: hasLinks
        ? 'links to the service, for secure-connectivity verify --outputs-file'
        : 'connections of the service to private plugins, as of the deploy',
    });
    const mode = props.mode ?? 'required';
    // Without a link there is nothing to call: the connections are proved by the deploy itself.
    if (mode === 'off' || !hasLinks) return;
    ensureNullProvider(stack);
    new Resource(this, 'Default', {
      triggers: {
        links,
        access: access.digest,
        ...(props.keyPairs && { keys: props.keyPairs.map(({ kid }) => kid).join(' ') }),
        ...(props.runOn === 'every-deploy' && { deployed: '${timestamp()}' }),
      },
      dependsOn: [
        ...new Set(
          [...props.links, ...(props.connected ?? [])].flatMap(({ resources }) => resources),
        ),
      ],
      provisioners: keyEnvironments(stack, props.keyPairs).flatMap((keys) => {
        const verifier = ['node', verifierPath(stack)];
        const key = keys.SECURE_CONNECTIVITY_KEY_ID;
        const title = `connectivity check of ${stack.node.id}${key ? ` with key ${key}` : ''}`;
        return [
          {
            type: 'local-exec' as const,
            interpreter: [...verifier, 'verify', ...checkArguments(props), '--title'],
            command: title,
            environment: { SECURE_CONNECTIVITY_LINKS: links, ...keys },
          },
          // Terraform repeats what a command wrote that fails, and cuts it: the report is not its own.
          ...(mode === 'required'
            ? [
                {
                  type: 'local-exec' as const,
                  interpreter: [...verifier, 'report', RESULT_FILE, '--exit-status', '--title'],
                  command: title,
                },
              ]
            : []),
        ];
      }),
    });
  }
}

function checkProblems(props: PostDeployCheckProps): string[] {
  const { links, connected = [], waitSeconds, keyPairs = [] } = props;
  return [
    ...(links.length + connected.length === 0 ? ['`links` must have at least one link'] : []),
    ...(keyPairs.length > MOST_KEY_PAIRS
      ? [`\`keyPairs\` must be at most ${MOST_KEY_PAIRS}, got: ${keyPairs.length}`]
      : []),
    ...keyPairs
      .filter(({ keyFile }) => /^(\/|[A-Za-z]:)|PRIVATE KEY/.test(keyFile))
      .map(() => '`keyPairs` must name files relative to the project, and never hold a key'),
    ...(waitSeconds !== undefined && !(waitSeconds >= 0)
      ? [`\`waitSeconds\` must be 0 or more, got: ${waitSeconds}`]
      : []),
  ];
}

function checkArguments({ waitSeconds = 300 }: PostDeployCheckProps): string[] {
  const report = ['--report-only', '--format', `json=${RESULT_FILE}`];
  return ['--links-from-environment', '--wait', `${waitSeconds}s`, ...report];
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
    produce: () => fromStackFolder(stack, join(packageFolder(), 'dist', 'cli', 'main.js')),
  });
}

/** What each run of the check finds in its environment besides the links. */
function keyEnvironments(
  stack: TerraformStack,
  keyPairs: readonly KeyPair[] | undefined,
): Record<string, string>[] {
  if (keyPairs === undefined || keyPairs.length === 0) return [{}];
  return keyPairs.map(({ kid, keyFile }) => ({
    SECURE_CONNECTIVITY_KEY_ID: kid,
    // A key given as text in the environment would be another one.
    SECURE_CONNECTIVITY_PRIVATE_KEY: '',
    SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: Lazy.stringValue({
      produce: () => fromStackFolder(stack, resolve(keyFile)),
    }),
  }));
}

function fromStackFolder(stack: TerraformStack, file: string): string {
  const folder = resolve(App.of(stack).outdir, 'stacks', stack.node.id);
  return relative(folder, file).split(sep).join('/');
}
