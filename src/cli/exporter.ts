import { Command } from 'commander';
import { EXPORTER_FLAGS, type ExporterFlags } from './exporter/flags.js';
import { parseArguments } from './program/parse-arguments.js';
import { settingNames } from './verify/command-line.js';
import { addFlags } from './verify/flags/table.js';

const HELP = `
  /probe?link=NAME  checks the link and answers with the metrics of its report
  /targets          the names of all links, for Prometheus to discover
  /metrics          what the exporter counts of itself
  /-/healthy        200

A check ends before the scrape timeout that Prometheus sends. Probes of one link at the same time
share a check, and a token is used as long as it lives. SIGTERM ends listening and lets what is under
way end; a second one ends at once.

Exit status: 0 ended by a signal, 2 usage, links, key or address to listen at.`;

export default async function main(args: readonly string[]): Promise<number> {
  const command = addFlags(
    new Command('secure-connectivity exporter'),
    Object.values(EXPORTER_FLAGS),
  )
    .description('Checks links whenever Prometheus scrapes them.')
    .addHelpText('after', HELP);
  const ended = parseArguments(command, args);
  if (ended !== undefined) return ended;
  const { runExporter } = await import('./exporter/run-exporter.js');
  return await runExporter(command.opts<ExporterFlags>(), settingNames(command, EXPORTER_FLAGS));
}
