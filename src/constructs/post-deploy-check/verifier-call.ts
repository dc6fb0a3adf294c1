import { join, relative, resolve, sep } from 'node:path';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import { App, Lazy, type TerraformStack } from 'cdktf';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { misplacedSecrets } from '../../codes/secrets.js';
import { encodeLinks, type Plugin } from '../../link/link.js';
import { type RunVia, readVantagePoints, vantagePointText } from '../../link/vantage-point.js';
import { packageFolder } from '../../package/package-folder.js';
import { WAIT_SECONDS } from '../../settings/defaults.js';
import type { AcceptedLink, MadeLink } from '../linked.js';

/** One key pair of the application. The key itself stays in its file. */
export interface KeyPair {
  /** The public key fingerprint. */
  readonly kid: string;
  /** The private key's file, relative to the project's folder. */
  readonly keyFile: string;
}

/** The provider of the resources that run the verifier. */
export function ensureNullProvider(stack: TerraformStack): void {
  const has = stack.node.findAll().some((node) => node instanceof NullProvider);
  if (!has) new NullProvider(stack, 'null');
}

/**
 * What runs the verifier: a program that is named, or this package's own, relative to the folder that Terraform runs in, so that the synthesized
 * stack is the same on every machine that lays the project out alike.
 */
export function verifierCommand(stack: TerraformStack, program: string | undefined): string[] {
  if (program !== undefined) return [program];
  const path = Lazy.stringValue({
    produce: () => fromStackFolder(stack, join(packageFolder(), 'dist', 'cli', 'main.js')),
  });
  return ['node', path];
}

/** What each run of the check finds in its environment besides the links. */
export function keyEnvironments(
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

/** In the folder of the synthesized stack. */
export const RESULT_FILE = 'connectivity-check.json';

interface VantagePointProps {
  readonly runVia?: RunVia | undefined;
  readonly waitSeconds?: number;
}

/** What names a vantage point, and what leads there, is written into the stack. */
export function vantagePointProblems(props: VantagePointProps): string[] {
  try {
    const texts = vantagePointTexts(props);
    return misplacedSecrets({ runVia: texts.join(' ') });
  } catch (error) {
    if (error instanceof ConnectivityError) return [error.message];
    throw error;
  }
}

/** @throws ConnectivityError `usage.invalid` */
export function vantagePointTexts({ runVia }: VantagePointProps): string[] {
  return runVia === undefined ? [] : readVantagePoints(runVia, 'runVia').map(vantagePointText);
}

/** What follows `verify`. */
export function checkArguments(props: VantagePointProps): string[] {
  const { waitSeconds = WAIT_SECONDS } = props;
  const vantagePoints = vantagePointTexts(props).flatMap((text) => ['--run-via', text]);
  const report = ['--report-only', '--format', `json=${RESULT_FILE}`];
  const wait = ['--wait', waitText(waitSeconds)];
  return ['--links-from-environment', ...wait, ...vantagePoints, ...report];
}

/** Whole milliseconds where it has parts of a second: a small number is written with an exponent. */
function waitText(seconds: number): string {
  return Number.isInteger(seconds) ? `${seconds}s` : `${Math.round(seconds * 1000)}ms`;
}

/**
 * Links as one line of JSON that Terraform completes: the encoding of the verifier, with
 * expressions where a value is known only after the deploy.
 */
export function linksExpression(
  made: readonly MadeLink[],
  accessDigest: string,
  connections: readonly AcceptedLink[] = [],
  plugins: readonly Plugin[] = [],
): string {
  const expressions = new Map<string, string>();
  const links = made.map((link, index) => {
    const { expectedAddresses } = link;
    if (!('expression' in expectedAddresses)) {
      return { ...link, expectedAddresses: [...expectedAddresses] };
    }
    const placeholder = `__expected_addresses_${index}__`;
    expressions.set(
      JSON.stringify([placeholder]),
      `\${jsonencode(${expectedAddresses.expression})}`,
    );
    return { ...link, expectedAddresses: [placeholder] };
  });
  let text = encodeLinks({
    accessDigest,
    links,
    ...(connections.length > 0 && { connections }),
    ...(plugins.length > 0 && { plugins }),
  });
  for (const [placeholder, expression] of expressions)
    text = text.replace(placeholder, () => expression);
  return text;
}
