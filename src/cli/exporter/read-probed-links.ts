import { ConnectivityError } from '../../codes/connectivity-error.js';
import { type Credentials, pipeWaitMs, type VerifiableLink } from '../../verify/model/options.js';
import { readTargets } from '../../verify/run/many/targets.js';
import { refuseOtherSources } from '../verify/command-line.js';
import { readLinks } from '../verify/read-links.js';
import type { ExporterFlags } from './flags.js';

/** A link that can be probed by its name, with whatever is its own of the credentials. */
export interface ProbedLink {
  readonly link: VerifiableLink;
  readonly credentials: Credentials;
}

/** Reads the links from the one source that the flags name. @throws ConnectivityError */
export async function readProbedLinks(flags: ExporterFlags): Promise<readonly ProbedLink[]> {
  const probed = flags.targets === undefined ? await fromStacks(flags) : await fromTargets(flags);
  const names = probed.map(({ link: { name } }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return probed;
  throw new ConnectivityError(
    'link.invalid',
    `each link must have a name of its own, by which it is probed, got: ${JSON.stringify(twice)} twice`,
  );
}

async function fromTargets(flags: ExporterFlags): Promise<readonly ProbedLink[]> {
  refuseOtherSources(flags);
  const { targets = '', allowPlainHttp = false, timeout } = flags;
  const probed: ProbedLink[] = [];
  const options = { allowPlainHttp, pipeWaitMs: pipeWaitMs(timeout) };
  for await (const target of readTargets(targets, options)) probed.push(target);
  if (probed.length > 0) return probed;
  throw new ConnectivityError(
    'usage.invalid',
    `\`--targets\` must hold at least one target, got: ${targets} without one`,
  );
}

async function fromStacks(flags: ExporterFlags): Promise<readonly ProbedLink[]> {
  const { links, connections, plugins } = await readLinks(flags);
  const others = connections.length + plugins.length;
  if (links.length === 0) {
    throw new ConnectivityError(
      'link.invalid',
      `at least one link to the service is needed, got: ${others} connections and plugins alone, which \`secure-connectivity verify\` checks`,
    );
  }
  if (others > 0) {
    process.stderr.write(
      `exporter: ${others} connections and plugins have no probe; \`secure-connectivity verify\` checks them\n`,
    );
  }
  return links.map((link) => ({ link, credentials: {} }));
}
