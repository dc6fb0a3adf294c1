import { Resource } from '@cdktf/provider-null/lib/resource/index.js';
import {
  Aspects,
  dependable,
  Lazy,
  type LocalExecProvisioner,
  TerraformOutput,
  TerraformStack,
} from 'cdktf';
import { Construct } from 'constructs';
import { kind, list, numberThat, oneOf, text } from '../../cloud/props/kinds.js';
import {
  type Check,
  type Kind,
  object,
  optional,
  propsProblems,
  required,
  type Shape,
} from '../../cloud/props/shape.js';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { misplacedSecrets } from '../../codes/misplaced-secrets.js';
import { isObject } from '../../files/json.js';
import type { VantagePoint } from '../../link/vantage-point.js';
import { recognizeInBothForms } from '../../package/shared.js';
import { MAX_KEY_PAIRS, MAX_WAIT_SECONDS } from '../../settings/defaults.js';
import { connected, isLinked, type Linked, linked, linksExpression } from '../linked.js';
import { collectProblems, literalProblems } from '../mistakes.js';
import { reportProblems, StackAccess } from '../stack-access.js';
import {
  addPreflight,
  checkRuns,
  ensureNullProvider,
  type KeyPair,
  keyEnvironments,
  type PostDeployCheckProps,
  runTriggers,
  vantagePointTexts,
  verifierCommand,
} from './verifier-call.js';

/**
 * The last step of a deploy: the verifier calls the service over what was just built and, if it
 * runs inside their network, the servers of private plugins. The deployer sets the credentials in the
 * environment; the stack contains none.
 *
 * @example
 * ```ts
 * const network = PrivateNetwork.fromAttributes(stack, 'network', {
 *   vpcId: 'vpc-1a2b',
 *   cidrs: ['10.40.0.0/16'],
 *   subnets: { 'cn-beijing-a': { subnetId: 'subnet-1a2b', cidr: '10.40.1.0/24' } },
 * });
 * const endpoint = new ServiceEndpoint(stack, 'endpoint', {
 *   network,
 *   name: 'agent-service',
 *   serviceName: 'com.volces.privatelink.cn-beijing.epsvc-1a2b',
 *   apiHost: 'api.example.com',
 *   scheme: 'https',
 *   allowedNetworks: ['10.40.1.0/24'],
 * });
 * new PostDeployCheck(stack, 'check', { links: [endpoint], waitSeconds: 60 });
 * ```
 */
export class PostDeployCheck extends Construct {
  static {
    recognizeInBothForms(PostDeployCheck, 'PostDeployCheck');
  }

  /** The constructs whose links are checked. */
  readonly linked: readonly Linked[] = [];

  constructor(scope: Construct, id: string, props: PostDeployCheckProps) {
    super(scope, id);
    if (reportProblems(this, propsProblems(POST_DEPLOY_CHECK, props, problemsTogether))) return;
    const { links: linked, connected = [], mode = 'required' } = props;
    this.linked = linked;
    this.node.addValidation({ validate: () => uncheckedLinks(this) });
    const links = this.#output(props);
    const hasLinks = linked.length > 0;
    const hasPlugins = connected.some(({ plugins = [] }) => plugins.length > 0);
    if (mode === 'off' || !(hasLinks || hasPlugins)) return;
    ensureNullProvider(TerraformStack.of(this));
    // A plugin's servers are called without a credential.
    if (hasLinks) addPreflight(this, props);
    this.#check(props, links);
  }

  /** The stack's output, which is also what the check reads. */
  #output({ links: linked, connected = [] }: PostDeployCheckProps): string {
    const access = StackAccess.of(this);
    // Connections may still be accepted, and rules added.
    const links = Lazy.stringValue({
      produce: () =>
        linksExpression({
          rulesDigest: access.digest,
          links: linked.flatMap((one) => one.links),
          connections: connected.flatMap((one) => one.connections),
          plugins: connected.flatMap((one) => one.plugins ?? []),
        }),
    });
    const hasLinks = linked.length > 0;
    new TerraformOutput(TerraformStack.of(this), hasLinks ? 'connectivity' : 'connections', {
      value: links,
      description: hasLinks
        ? 'links to the service, for secure-connectivity verify --outputs-file'
        : 'private plugins: servers, and connections of the service as of the deploy',
    });
    return links;
  }

  #check(props: PostDeployCheckProps, links: string): void {
    const check = new Resource(this, 'Default', {
      triggers: {
        links,
        ...runTriggers(this, props),
        ...(props.runVia !== undefined && { via: vantagePointTexts(props).join('; ') }),
        ...(props.runOn === 'every-deploy' && { deployed: '${timestamp()}' }),
      },
      provisioners: this.#provisioners(props, links),
    });
    // What there is to wait for is known only when every construct is complete.
    Aspects.of(check).add({
      visit: () => {
        const all = [...props.links, ...(props.connected ?? [])];
        check.dependsOn = [...new Set(all.flatMap(({ resources }) => resources))].map(dependable);
      },
    });
  }

  #provisioners(props: PostDeployCheckProps, links: string): LocalExecProvisioner[] {
    const stack = TerraformStack.of(this);
    const verifier = verifierCommand(stack, props);
    return keyEnvironments(stack, props).flatMap((keys) => {
      const key = keys.SECURE_CONNECTIVITY_KEY_ID;
      const title = `connectivity check of ${stack.node.id}${key ? ` with key ${key}` : ''}`;
      return checkRuns(stack, props).map((run, i) => ({
        type: 'local-exec',
        interpreter: [...verifier, 'verify', ...run, '--title'],
        command: title,
        ...(i === 0 && { environment: { SECURE_CONNECTIVITY_LINKS: links, ...keys } }),
      }));
    });
  }
}

/** Problems of props that are each right by themselves. */
function problemsTogether(props: PostDeployCheckProps): string[] {
  const { links, connected = [], keyPairs = [] } = props;
  return collectProblems(
    links.length + connected.length === 0 && '`links` must have at least one link',
    keyPairs.length > MAX_KEY_PAIRS &&
      `\`keyPairs\` must be at most ${MAX_KEY_PAIRS}, got: ${keyPairs.length}`,
    keyPairs
      .filter(({ keyFile }) =>
        /^([/\\]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)|PRIVATE KEY/.test(keyFile),
      )
      .map(() => '`keyPairs` must name files relative to the project, and never hold a key'),
    vantagePointProblems(props),
  );
}

/** Refuses secrets in the names and commands of vantage points: the stack contains them. */
function vantagePointProblems(props: PostDeployCheckProps): string[] {
  try {
    const texts = vantagePointTexts(props);
    return misplacedSecrets({ runVia: texts.join(' ') });
  } catch (error) {
    if (error instanceof ConnectivityError) return [error.message];
    throw error;
  }
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

const POST_DEPLOY_CHECK: Shape<PostDeployCheckProps> = {
  links: required(list('constructs with links', linked)),
  connected: optional(list('private plugins', connected)),
  keyPairs: optional(
    list(
      'key pairs',
      object<KeyPair>('an object with kid and keyFile', {
        kid: required(text),
        keyFile: required(text),
      }),
    ),
  ),
  mode: optional(oneOf('required', 'report', 'off')),
  runOn: optional(oneOf('change', 'every-deploy')),
  waitSeconds: optional(numberThat(waitProblems)),
  runVia: optional(runVia()),
  program: optional(oneOf('secure-connectivity')),
};

function waitProblems(seconds: number, path: string): string[] {
  const unknown = literalProblems(path, seconds);
  if (unknown.length > 0 || (seconds >= 0 && seconds <= MAX_WAIT_SECONDS)) return unknown;
  return [`\`${path}\` must be 0 to ${MAX_WAIT_SECONDS}, got: ${seconds}`];
}

/** A command, or several vantage points with their commands. */
function runVia(): Kind {
  const is = 'a command such as "ssh bastion", or a list of commands';
  const point = kind(
    'a command, or an object with name, command and expect, which is "closed" or absent',
    (value): value is string | VantagePoint =>
      typeof value === 'string' ||
      (isObject(value) &&
        typeof value.name === 'string' &&
        Array.isArray(value.command) &&
        (value.expect === undefined || value.expect === 'closed')),
  );
  const points = list('commands', point);
  const problems: Check = (value, path) =>
    Array.isArray(value) ? points.problems(value, path) : text.problems(value, path);
  return { is, problems };
}
