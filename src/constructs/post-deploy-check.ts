import { join, relative, resolve, sep } from 'node:path';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import { Resource } from '@cdktf/provider-null/lib/resource/index.js';
import {
  App,
  Aspects,
  dependable,
  type ITerraformDependable,
  Lazy,
  type LocalExecProvisioner,
  TerraformOutput,
  TerraformStack,
} from 'cdktf';
import { Construct } from 'constructs';
import { packageFolder } from '../package/package-folder.js';
import { type Connected, isLinked, type Linked } from './linked.js';
import { linksExpression } from './links-expression.js';
import { literalProblems } from './literal.js';
import { hasMistakes } from './mistakes.js';
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

/** A day. */
const MAX_WAIT_SECONDS = 86_400;

/** In the folder of the synthesized stack. */
const RESULT_FILE = 'connectivity-check.json';

/**
 * The last thing that a deploy does: the verifier calls the service over what was just built. Who
 * deploys gives the credentials in the environment; the stack holds none.
 */
export class PostDeployCheck extends Construct {
  /** Whose links are checked. */
  readonly linked: readonly Linked[];

  constructor(scope: Construct, id: string, props: PostDeployCheckProps) {
    super(scope, id);
    this.linked = props.links;
    const { links: linked, connected = [], mode = 'required' } = props;
    this.node.addValidation({ validate: () => uncheckedLinks(this) });
    if (hasMistakes(this, checkProblems(props))) return;
    const stack = TerraformStack.of(this);
    const access = StackAccess.of(this);
    // Connections may still be accepted, and rules added.
    const links = Lazy.stringValue({
      produce: () =>
        linksExpression(
          linked.flatMap((one) => one.links),
          access.digest,
          connected.flatMap((one) => one.connections),
        ),
    });
    const hasLinks = linked.length > 0;
    new TerraformOutput(stack, hasLinks ? 'connectivity' : 'connections', {
      value: links,
      description: hasLinks
        ? 'links to the service, for secure-connectivity verify --outputs-file'
        : 'connections of the service to private plugins, as of the deploy',
    });
    // Without a link there is nothing to call: the connections are proved by the deploy itself.
    if (mode === 'off' || !hasLinks) return;
    ensureNullProvider(stack);
    const check = new Resource(this, 'Default', {
      triggers: {
        links,
        access: access.digest,
        ...(props.keyPairs && { keys: props.keyPairs.map(({ kid }) => kid).join(' ') }),
        ...(props.runOn === 'every-deploy' && { deployed: '${timestamp()}' }),
      },
      provisioners: this.#provisioners(props, links),
    });
    dependAtSynth(check, () => [...linked, ...connected].flatMap(({ resources }) => resources));
  }

  #provisioners(props: PostDeployCheckProps, links: string): LocalExecProvisioner[] {
    const stack = TerraformStack.of(this);
    const verifier = ['node', verifierPath(stack)];
    return keyEnvironments(stack, props.keyPairs).flatMap((keys) => {
      const key = keys.SECURE_CONNECTIVITY_KEY_ID;
      const title = `connectivity check of ${stack.node.id}${key ? ` with key ${key}` : ''}`;
      const check: LocalExecProvisioner = {
        type: 'local-exec',
        interpreter: [...verifier, 'verify', ...checkArguments(props), '--title'],
        command: title,
        environment: { SECURE_CONNECTIVITY_LINKS: links, ...keys },
      };
      // Terraform repeats what a command wrote that fails, and cuts it: the report is not its own.
      const verdict: LocalExecProvisioner = {
        type: 'local-exec',
        interpreter: [...verifier, 'report', RESULT_FILE, '--exit-status', '--title'],
        command: title,
      };
      return props.mode === 'report' ? [check] : [check, verdict];
    });
  }
}

/** What a resource waits for is known only when every construct is complete. */
function dependAtSynth(resource: Resource, on: () => readonly ITerraformDependable[]): void {
  Aspects.of(resource).add({
    visit: () => {
      resource.dependsOn = [...new Set(on())].map(dependable);
    },
  });
}

/** Links of the stack that no check of it takes. */
function uncheckedLinks(check: PostDeployCheck): string[] {
  const constructs = TerraformStack.of(check).node.findAll();
  const checks = constructs.filter((one) => one instanceof PostDeployCheck);
  const checked = checks.flatMap(({ linked }) => linked);
  if (checks[0] !== check) return [];
  return constructs
    .filter(isLinked)
    .filter((one) => !checked.includes(one))
    .map(({ node }) => `\`links\` must have all of the stack, got: none of ${node.path}`);
}

function checkProblems(props: PostDeployCheckProps): string[] {
  const { links, connected = [], waitSeconds, keyPairs = [] } = props;
  return [
    ...(links.length + connected.length === 0 ? ['`links` must have at least one link'] : []),
    ...(keyPairs.length > MOST_KEY_PAIRS
      ? [`\`keyPairs\` must be at most ${MOST_KEY_PAIRS}, got: ${keyPairs.length}`]
      : []),
    ...keyPairs
      .filter(({ keyFile }) =>
        /^([/\\]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)|PRIVATE KEY/.test(keyFile),
      )
      .map(() => '`keyPairs` must name files relative to the project, and never hold a key'),
    ...literalProblems('waitSeconds', waitSeconds),
    ...(waitSeconds !== undefined && !(waitSeconds >= 0 && waitSeconds <= MAX_WAIT_SECONDS)
      ? [`\`waitSeconds\` must be 0 to ${MAX_WAIT_SECONDS}, got: ${waitSeconds}`]
      : []),
  ];
}

function checkArguments({ waitSeconds = 300 }: PostDeployCheckProps): string[] {
  const report = ['--report-only', '--format', `json=${RESULT_FILE}`];
  return ['--links-from-environment', '--wait', waitText(waitSeconds), ...report];
}

/** Whole milliseconds where it has parts of a second: a small number is written with an exponent. */
function waitText(seconds: number): string {
  return Number.isInteger(seconds) ? `${seconds}s` : `${Math.round(seconds * 1000)}ms`;
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
