import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConnectivityError, usageError } from '../../codes/connectivity-error.js';
import { safeText } from '../../codes/redact.js';
import { decodeLinks, type Link } from '../../link/link.js';
import {
  differingFields,
  hasOpenHost,
  type LinksTemplate,
  readLinksTemplate,
} from '../../link/link-template.js';
import {
  findStackFolder,
  readTreeOutputs,
  stackFile,
} from '../../terraform/configuration-files.js';
import { terraformName } from '../../terraform/program.js';
import type { VerifiableLink } from '../../verify/model/options.js';

/**
 * Asks Terraform for the first of some outputs that a stack has.
 *
 * @param stack its name, where cdktf synthesized it to `cdktf.out`, or else its folder
 * @throws ConnectivityError `usage.invalid`
 */
export async function readStackOutput(stack: string, names: readonly string[]) {
  const folder = findStackFolder('--stack', stack);
  const outputs = await readOutputs(folder, stack);
  for (const name of names) {
    const text = outputs[name]?.value;
    if (typeof text === 'string') return { name, text, folder };
  }
  throw usageError(
    `\`--stack\` must name a deployed stack with an output \`${names.join('` or `')}\`, got: "${stack}" with ${Object.keys(outputs).join(', ') || 'no outputs'}`,
  );
}

/**
 * Reads the outputs in the state of a stack's folder.
 *
 * @throws ConnectivityError `usage.invalid`, `deploy.state`
 */
async function readOutputs(
  folder: string,
  stack: string,
): Promise<Record<string, { value?: unknown }>> {
  const program = terraformName(process.env);
  // Only this way of giving links starts another program.
  const [{ readOwnState }, { terraformFolder }] = await Promise.all([
    import('../../adopt/own-state.js'),
    import('../../terraform/terraform-folder.js'),
  ]);
  try {
    // Terraform would wait for a pipe, and fill the memory with a file without an end.
    if (existsSync(stackFile(folder))) readTreeOutputs(folder);
    const { outputs = {} } = await readOwnState(terraformFolder(folder, program, '0s'));
    return { ...outputs };
  } catch (cause) {
    if (cause instanceof ConnectivityError && cause.reason === 'deploy.state: foreign') throw cause;
    const why = safeText(cause instanceof Error ? cause.message : String(cause));
    throw usageError(
      `\`--stack\` must name a deployed stack whose state \`${program} state pull\` can read in ${folder}, got: "${stack}" (${why})`,
      cause,
    );
  }
}

/**
 * The digest of what Terraform opens in a stack's folder, where the tree in it is the one that was deployed: the one
 * whose rules have the digest that the links came with.
 *
 * @param source where the links were read
 */
export async function digestOfDeployed(
  { rulesDigest, source }: { readonly rulesDigest: string; readonly source: string },
  folder: string,
): Promise<string | undefined> {
  const own = rulesDigestIn(folder);
  if (rulesDigest === '' || own === undefined) return undefined;
  if (own === rulesDigest) return await folderDigest(folder);
  process.stderr.write(
    `verify: no access digest, because ${folder} contains a different stack from the one that was deployed: ${source} has rules with the digest ${rulesDigest}\n`,
  );
  return undefined;
}

/** The digest of what Terraform opens in a stack's folder; undefined where there is no stack that can be read. */
export async function folderDigest(folder: string): Promise<string | undefined> {
  if (!existsSync(stackFile(folder))) return undefined;
  const review = await import('../../review/stacks/digest.js');
  try {
    const digest = review.folderDigest(folder);
    process.stderr.write(`verify: access digest ${digest}, of what Terraform opens\n`);
    return digest;
  } catch (error) {
    if (!(error instanceof ConnectivityError)) throw error;
    process.stderr.write(
      `verify: no access digest, because the stack cannot be read: ${error.message}\n`,
    );
    return undefined;
  }
}

/** Returns what a synthesized stack says of itself in its output; undefined where it says nothing. */
function rulesDigestIn(folder: string): string | undefined {
  try {
    const { value } = readTreeOutputs(folder)['rules-digest'] ?? {};
    return value === undefined ? undefined : String(value);
  } catch {
    return undefined;
  }
}

/** The folder of the synthesized stacks, as cdktf writes it. */
const STACKS = join('cdktf.out', 'stacks');

/** The folder of a stack. */
export function stackFolder(stack: string): string {
  return join(STACKS, stack);
}

interface Given {
  readonly links: readonly VerifiableLink[];
  /** SHA-256 of the rules that their stack was synthesized with. */
  readonly rulesDigest: string;
  /** Named in errors. */
  readonly source: string;
}

/**
 * Holds links of a file against the tree beside it: whoever changes the file would otherwise choose the
 * host that a JWT goes to. What the tree leaves to the deploy, the state's outputs vouch for.
 *
 * @param folder of the stack that Terraform runs in
 * @returns the links, marked where nothing vouches for their host
 * @throws ConnectivityError `usage.invalid` where they are not those of the tree, or of its state
 */
export async function holdAgainstTree(given: Given, folder: string): Promise<VerifiableLink[]> {
  const templates = readTemplates(folder);
  if (templates === undefined) {
    // Of the stacks beside the file none has these links: whoever changes it can name another one.
    return existsSync(STACKS) ? given.links.map(unvouched) : [...given.links];
  }
  const own = templates.filter(({ rulesDigest }) => rulesDigest === given.rulesDigest);
  if (own.length === 0) return given.links.map(unvouched);
  const inTree = byName(own.flatMap(({ links }) => links));
  for (const link of given.links) requireSame(link, inTree, given.source, folder);
  const isOpen = ({ name }: Link) => hasOpenHost(inTree.get(name) ?? {});
  if (!given.links.some(isOpen)) return [...given.links];
  const inState = await readStateLinks(folder);
  if (inState === undefined) {
    return given.links.map((link) => (isOpen(link) ? unvouched(link) : link));
  }
  const place = `the state of ${folder}`;
  for (const link of given.links) requireSame(link, inState, given.source, place);
  return [...given.links];
}

function unvouched(link: VerifiableLink): VerifiableLink {
  return { ...link, isHostVouched: false };
}

type Templates = ReadonlyMap<string, LinksTemplate['links'][number]>;

function byName(links: LinksTemplate['links']): Templates {
  return new Map(links.map((link) => [String(link.name), link]));
}

function requireSame(link: VerifiableLink, known: Templates, source: string, place: string): void {
  const template = known.get(link.name);
  const fields = template === undefined ? ['name'] : differingFields(template, link);
  if (fields.length === 0) return;
  throw usageError(
    `${source} must hold the links of ${place}, got: ${JSON.stringify(link.name)} with another \`${fields.join('`, `')}\`; take the outputs of the deployed stack unchanged`,
  );
}

/** Reads the links of the tree; undefined if there is no tree, or if it passes no links. */
function readTemplates(folder: string): LinksTemplate[] | undefined {
  try {
    const found = Object.values(readTreeOutputs(folder)).flatMap(
      ({ value }) => readLinksTemplate(value) ?? [],
    );
    return found.length === 0 ? undefined : found;
  } catch {
    return undefined;
  }
}

/** Reads the links of the state; undefined if it cannot be read here. */
async function readStateLinks(folder: string): Promise<Templates | undefined> {
  try {
    const outputs = await readOutputs(folder, folder);
    const texts = Object.values(outputs).flatMap(({ value }) =>
      readLinksTemplate(value) === undefined ? [] : String(value),
    );
    return texts.length === 0
      ? undefined
      : byName(texts.flatMap((text) => decodeLinks(text, folder).links));
  } catch {
    return undefined;
  }
}
