import { ConnectivityError } from '../../codes/connectivity-error.js';
import { misplacedSecrets } from '../../codes/secrets.js';
import { type RunVia, readVantagePoints, vantagePointText } from '../../link/vantage-point.js';
import { MAX_WAIT_SECONDS, MOST_KEY_PAIRS } from '../../settings/defaults.js';
import type { Connected, Linked } from '../linked.js';
import { literalProblems, problemIf } from '../mistakes.js';

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
   * @default - the one in the environment of whoever deploys
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
  /** When to check: after a change of links, endpoint or access rules, or at every deploy. @default 'change' */
  readonly runOn?: 'change' | 'every-deploy';
  /** Seconds to keep retrying transient failures. @default 300 */
  readonly waitSeconds?: number;
  /**
   * Where the check runs, if not where Terraform does: a command that runs the words after it at a
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

/** Every reason not to make a check. */
export function checkProblems(props: PostDeployCheckProps): string[] {
  const { links, connected = [], waitSeconds, keyPairs = [] } = props;
  return [
    ...problemIf(links.length + connected.length === 0, '`links` must have at least one link'),
    ...problemIf(
      keyPairs.length > MOST_KEY_PAIRS,
      `\`keyPairs\` must be at most ${MOST_KEY_PAIRS}, got: ${keyPairs.length}`,
    ),
    ...keyPairs
      .filter(({ keyFile }) =>
        /^([/\\]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)|PRIVATE KEY/.test(keyFile),
      )
      .map(() => '`keyPairs` must name files relative to the project, and never hold a key'),
    ...vantagePointProblems(props),
    ...literalProblems('waitSeconds', waitSeconds),
    ...problemIf(
      waitSeconds !== undefined && !(waitSeconds >= 0 && waitSeconds <= MAX_WAIT_SECONDS),
      `\`waitSeconds\` must be 0 to ${MAX_WAIT_SECONDS}, got: ${waitSeconds}`,
    ),
  ];
}

/** What names a vantage point, and what leads there, is written into the stack. */
function vantagePointProblems(props: PostDeployCheckProps): string[] {
  try {
    const texts = vantagePointTexts(props);
    return misplacedSecrets({ runVia: texts.join(' ') });
  } catch (error) {
    if (error instanceof ConnectivityError) return [error.message];
    throw error;
  }
}

/** @throws ConnectivityError `usage.invalid` */
export function vantagePointTexts({ runVia }: PostDeployCheckProps): string[] {
  return runVia === undefined ? [] : readVantagePoints(runVia, 'runVia').map(vantagePointText);
}
