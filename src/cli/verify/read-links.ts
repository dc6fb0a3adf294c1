import { readFile } from 'node:fs/promises';
import { ConnectivityError } from '../../codes/connectivity-error.js';
import { linkSchema } from '../../link/link.js';
import { decodeLinks } from '../../link/links.js';
import type { VerifiableLink } from '../../verify/options.js';
import type { Flags } from './flags.js';
import { readStackOutput } from './read-stack-output.js';

const OUTPUT = 'connectivity';
const VARIABLE = 'SECURE_CONNECTIVITY_LINKS';

/** Reads the links from the one source that the flags name. @throws ConnectivityError */
export async function readLinks(flags: Flags): Promise<VerifiableLink[]> {
  const given = [
    flags.outputsFile !== undefined && '--outputs-file',
    flags.stack !== undefined && '--stack',
    flags.linksFromEnvironment && '--links-from-environment',
    flags.baseUrl !== undefined && '--base-url',
  ].filter(Boolean);
  if (given.length !== 1) {
    throw new ConnectivityError(
      'usage.invalid',
      `exactly one of \`--outputs-file\`, \`--stack\`, \`--links-from-environment\` and \`--base-url\` must be given, got: ${given.join(', ') || 'none'}`,
    );
  }
  if (flags.outputsFile !== undefined) return await fromOutputsFile(flags.outputsFile);
  if (flags.stack !== undefined) {
    const stacks = await Promise.all(flags.stack.map(fromStack));
    return stacks.flat();
  }
  return flags.linksFromEnvironment ? fromEnvironment() : [byHand(flags)];
}

function decode(text: string, source: string): VerifiableLink[] {
  const { links, accessDigest } = decodeLinks(text, source);
  if (links.length === 0) {
    throw new ConnectivityError('link.invalid', `${source} must hold at least one link, got: none`);
  }
  return links.map((link) => ({ ...link, accessDigest }));
}

function fromEnvironment(): VerifiableLink[] {
  const text = process.env[VARIABLE] ?? '';
  if (text !== '') return decode(text, VARIABLE);
  throw new ConnectivityError(
    'usage.invalid',
    `\`--links-from-environment\` needs the variable ${VARIABLE}, got: nothing`,
  );
}

async function fromStack(stack: string): Promise<VerifiableLink[]> {
  return decode(await readStackOutput(stack, OUTPUT), `output ${OUTPUT} of stack ${stack}`);
}

async function fromOutputsFile(file: string): Promise<VerifiableLink[]> {
  const found = outputsNamed(OUTPUT, await readJson(file), []);
  if (found.length === 0) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`--outputs-file\` must hold an output \`${OUTPUT}\`, got: ${file} without one`,
    );
  }
  return found.flatMap(({ path, text }) => decode(text, `${file} (${path})`));
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    const why = cause instanceof SyntaxError ? 'not JSON' : (cause as NodeJS.ErrnoException).code;
    throw new ConnectivityError(
      'usage.invalid',
      `\`--outputs-file\` must be a readable JSON file, got: ${file} (${why})`,
      { cause },
    );
  }
}

/** Outputs of constructs stand deeper than those of the stack itself. */
function outputsNamed(
  name: string,
  value: unknown,
  path: readonly string[],
): { path: string; text: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name && typeof inner === 'string'
      ? [{ path: path.join('.'), text: inner }]
      : outputsNamed(name, inner, [...path, key]),
  );
}

function byHand(flags: Flags): VerifiableLink {
  const { baseUrl = '', via, apiHost, tlsServerName, allowPlainHttp } = flags;
  for (const [flag, value] of [
    ['--via', via],
    ['--api-host', apiHost],
  ] as const) {
    if (value === undefined) {
      throw new ConnectivityError('usage.invalid', `\`--base-url\` needs \`${flag}\` beside it`);
    }
  }
  const result = linkSchema.safeParse({
    name: 'link',
    via,
    baseUrl,
    apiHost,
    expectedAddresses: flags.expectAddress ?? [],
    expectedNetworks: flags.expectNetwork ?? [],
    ...(tlsServerName !== undefined && { tlsServerName }),
  });
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new ConnectivityError(
      'usage.invalid',
      `\`--base-url\` must be scheme, host and port only, got: "${baseUrl}"${issue ? ` (${issue.path.join('.')}: ${issue.message})` : ''}`,
    );
  }
  if (new URL(baseUrl).protocol === 'http:' && !allowPlainHttp) {
    throw new ConnectivityError(
      'usage.invalid',
      `\`--base-url\` with http needs \`--allow-plain-http\`, got: "${baseUrl}"; JWT and token would travel in clear`,
    );
  }
  return result.data;
}
