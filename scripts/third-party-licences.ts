import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * The licence texts of every package that a bundle holds.
 *
 * @param inputs the files that it consists of
 * @throws Error naming a package without a licence text or name
 */
export function thirdPartyLicences(inputs: readonly string[]): string {
  const folders = inputs
    .map((file) => relative('.', file.replace(/^[\w-]+:(?=\/)/, '')))
    .map((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1])
    .filter((folder) => folder !== undefined);
  return [...new Set(folders)].sort().map(licence).join('\n');
}

function licence(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { name: string; version: string; license?: string };
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (file === undefined && license === undefined) throw new Error(`${name} has no licence`);
  const text =
    file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8');
  return `${'='.repeat(72)}\n${name} ${version} (${license ?? 'see below'})\n\n${text.trim()}\n`;
}
