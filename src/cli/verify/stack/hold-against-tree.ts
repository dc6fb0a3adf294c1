import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../../../codes/connectivity-error.js';
import { decodeLinks, type Link } from '../../../link/link.js';
import {
  differingFields,
  hasOpenHost,
  type LinksTemplate,
  readLinksTemplate,
} from '../../../link/link-template.js';
import { readTreeOutputs } from '../../../terraform/configuration-files.js';
import type { VerifiableLink } from '../../../verify/model/options.js';
import { readOutputs } from './read-stack.js';

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
