import { Command } from 'commander';
import { EXPORTER_FLAGS, type ExporterFlags } from './exporter/flags.js';
import { parseArguments } from './program/parse-arguments.js';
import { settingNames } from './verify/command-line.js';
import { addFlags } from './verify/flags/table.js';

const HELP = `
  /probe?link=NAME  checks the link and returns the metrics of its report
  /targets          the names of all links, for Prometheus to discover
  /metrics          metrics of the exporter itself
  /-/healthy        200

A check ends before the scrape timeout that Prometheus sends. Concurrent probes of one link share a
check, and a token is reused until it expires. On SIGTERM the exporter stops listening and finishes the
checks in progress; a second SIGTERM stops it at once.

Exit status: 0 ended by a signal, 2 usage, links, key or listen address.`;

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
