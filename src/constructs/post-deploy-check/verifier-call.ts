import { join, relative, resolve, sep } from 'node:path';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import { Resource } from '@cdktf/provider-null/lib/resource/index.js';
import { App, Aspects, dependable, Lazy, TerraformResource, TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
import { isInModule } from '../../cloud/module-context.js';
import { type RunVia, readVantagePoints, vantagePointText } from '../../link/vantage-point.js';
import { INSTALLED_PROGRAM } from '../../link/verifier-program.js';
import { packageFolderOfProject } from '../../package/package-folder.js';
import { WAIT_SECONDS } from '../../settings/defaults.js';
import type { Connected, Linked } from '../linked.js';
import { Remembered } from '../replacement.js';
import { StackAccess } from '../stack-access.js';

/** One key pair of the application. The key itself stays in its file. */
export interface KeyPair {
  /** The public key fingerprint. */
  readonly kid: string;
  /** The private key's file, relative to the project's folder. */
  readonly keyFile: string;
}

export interface PostDeployCheckProps {
  /** The constructs whose links are checked. */
  readonly links: readonly Linked[];
  /**
   * The constructs whose connections from the service are reported as of the deploy, and whose
   * servers are checked wherever they can be reached.
   *
   * @default - none
   */
  readonly connected?: readonly Connected[];
  /**
   * Key pairs that the check tests one after the other, up to three.
   * @default - the one in the environment of the deployer
   */
  readonly keyPairs?: readonly KeyPair[];
  /**
   * `required`: a failed check fails the deploy, and the next deploy checks again; what the check
   * needs on this machine is verified before the first resource. `report`: both are only printed.
   * `off`: nothing is checked.
   *
   * @default 'required'
   */
  readonly mode?: 'required' | 'report' | 'off';
  /** Time of the check: after a change of links, endpoint or access rules, or at every deploy. @default 'change' */
  readonly runOn?: 'change' | 'every-deploy';
  /** Seconds to keep retrying transient failures. @default 300 */
  readonly waitSeconds?: number;
  /**
   * The place of the check, if not that of Terraform: a command that runs the words after it at a
   * vantage point, such as `ssh bastion` or `kubectl exec -i pod --`, or several vantage points.
   * They need Node.js and nothing else; the private key stays where Terraform runs.
   *
   * @default - where Terraform runs
   */
  readonly runVia?: RunVia | undefined;
  /**
   * This package's program on the PATH where Terraform runs, for stacks that are applied without
   * the package beside them.
   * @default - the installed package, by a path relative to the stack's folder
   */
  readonly program?: 'secure-connectivity' | undefined;
}

/** The provider of the resources that run the verifier. */
export function ensureNullProvider(stack: TerraformStack): void {
  const has = stack.node.findAll().some((node) => node instanceof NullProvider);
  if (!has) new NullProvider(stack, 'null');
}

/**
 * Returns the command of the verifier: the named program, or this package's own by a path relative to
 * Terraform's working folder, so that every machine with the same layout synthesizes the same stack.
 */
export function verifierCommand(
  stack: TerraformStack,
  { program }: PostDeployCheckProps,
): string[] {
  if (isInModule(stack)) return [...INSTALLED_PROGRAM];
  if (program !== undefined) return [program];
  const path = Lazy.stringValue({
    produce: () => fromStackFolder(stack, join(packageFolderOfProject(), 'dist', 'cli', 'main.js')),
  });
  return ['node', path];
}

/** Returns the environment of each run of the check, without the links. */
export function keyEnvironments(
  stack: TerraformStack,
  { keyPairs = [] }: PostDeployCheckProps,
): Record<string, string>[] {
  if (keyPairs.length === 0) return [{}];
  return keyPairs.map(({ kid, keyFile }) => ({
    SECURE_CONNECTIVITY_KEY_ID: kid,
    // A key given as text in the environment would be another one.
    SECURE_CONNECTIVITY_PRIVATE_KEY: '',
    SECURE_CONNECTIVITY_PRIVATE_KEY_FILE: Lazy.stringValue({
      produce: () => fromStackFolder(stack, resolve(keyFile)),
    }),
  }));
}

/** Returns the values whose change repeats the check: the rules and the keys. */
export function runTriggers(check: Construct, { keyPairs }: PostDeployCheckProps) {
  return {
    access: StackAccess.of(check).digest,
    ...(keyPairs && { keys: keyPairs.map(({ kid }) => kid).join(' ') }),
  };
}

/** Terraform runs programs in the folder of the root, for a module as well. */
function fromStackFolder(stack: TerraformStack, file: string): string {
  if (isInModule(stack)) return relative('', file).split(sep).join('/');
  const folder = resolve(App.of(stack).outdir, 'stacks', stack.node.id);
  return relative(folder, file).split(sep).join('/');
}

/** The file of the result, in the folder of the synthesized stack. */
const RESULT_FILE = 'connectivity-check.json';

/** Returns the arguments of each run of `verify`. */
export function checkRuns(stack: TerraformStack, props: PostDeployCheckProps): string[][] {
  const wait = ['--wait', waitText(props.waitSeconds ?? WAIT_SECONDS)];
  const vantagePoints = vantagePointTexts(props).flatMap((text) => ['--run-via', text]);
  const check = ['--links-from-environment', ...wait, ...vantagePoints];
  const isReport = props.mode === 'report';
  // Calls of a module run at once in one folder, so that no file could be each one's own.
  if (isInModule(stack)) return [isReport ? [...check, '--report-only'] : check];
  const result = [...check, '--report-only', '--format', `json=${RESULT_FILE}`];
  // Terraform repeats what a command wrote that fails, and cuts it: the report is not its own.
  return isReport ? [result] : [result, ['--from', RESULT_FILE, '--exit-status']];
}

/** @throws ConnectivityError `usage.invalid` */
export function vantagePointTexts({ runVia }: PostDeployCheckProps): string[] {
  return runVia === undefined ? [] : readVantagePoints(runVia, 'runVia').map(vantagePointText);
}

/** Whole milliseconds where it has parts of a second: a small number is written with an exponent. */
function waitText(seconds: number): string {
  return Number.isInteger(seconds) ? `${seconds}s` : `${Math.round(seconds * 1000)}ms`;
}

/**
 * The first thing that a deploy does: it proves that the check can run here, before anything that is
 * paid for is made. Everything of the links waits for it, and nothing of them is replaced with it.
 */
export function addPreflight(check: Construct, props: PostDeployCheckProps): void {
  const { links: linked, mode, runVia } = props;
  const stack = TerraformStack.of(check);
  const verifier = verifierCommand(stack, props);
  const first = new Resource(new Construct(check, 'preflight'), 'Default', {
    triggers: runTriggers(check, props),
    provisioners: keyEnvironments(stack, props).map((environment) => ({
      type: 'local-exec' as const,
      // Networks may still be allowed.
      interpreter: Lazy.listValue({
        produce: () => [
          ...[...verifier, 'verify', '--preflight'],
          ...(runVia === undefined ? callingNetworks(linked) : []),
          ...(mode === 'report' ? ['--report-only'] : []),
          ...['--api-host', linked[0]?.links[0]?.apiHost ?? ''],
          '--title',
        ],
      }),
      // Terraform prints it as what is executed.
      command: `preflight of ${stack.node.id}`,
      environment,
    })),
  });
  const own = dependable(first);
  Aspects.of(first).add({ visit: () => letWait(stack, linked, own) });
}

/** Links that anyone may call over, or over which it is not known who may, say nothing of the place. */
function callingNetworks(linked: readonly Linked[]): string[] {
  return [...new Set(linked.flatMap(({ callers = [] }) => callers))].toSorted();
}

/** Postpones a step until every construct is complete: only then are all resources known. */
function letWait(stack: TerraformStack, linked: readonly Linked[], own: string): void {
  const remembered = stack.node.findAll().filter((one) => one instanceof Remembered);
  for (const resource of [...linked.flatMap(({ resources }) => resources), ...remembered]) {
    if (!TerraformResource.isTerraformResource(resource)) continue;
    resource.dependsOn = [...new Set([...(resource.dependsOn ?? []), own])];
  }
}
