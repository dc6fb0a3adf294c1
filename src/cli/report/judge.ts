import { exitOf } from '../../verify/model/verdict.js';
import type {
  BackendResult,
  ConnectionResult,
  LinkResult,
  Verification,
} from '../../verify/model/verification.js';
import { titleOf } from '../../verify/reports/diagnosis-text.js';
import { logCheck } from '../deploy/run-log.js';

/**
 * Says on standard error how each link ended that did not pass, one line each, for whom the report
 * itself was printed before; answers the exit status of the check.
 */
export function judge(verification: Verification): number {
  const { title = 'check', links, connections = [], backends = [] } = verification;
  const lines = [
    ...links.flatMap(endOfLink),
    ...[...connections, ...backends].flatMap(endOfPlugin),
  ];
  for (const line of lines) process.stderr.write(`${title}: ${line}\n`);
  const exit = exitOf(verification);
  if (exit !== 0) process.stderr.write(`${title}: failed with status ${exit}, report above\n`);
  logCheck(exit);
  return exit;
}

function endOfLink({ name, verdict, stages, causes }: LinkResult): string[] {
  const broken = stages.find(({ status }) => status === 'failed');
  if (broken === undefined) return [];
  const code = causes[0]?.code ?? broken.code ?? '';
  return [`${name} is ${verdict}: ${broken.stage}: ${code}: ${titleOf(code)}`];
}

function endOfPlugin({ name, code, ...rest }: ConnectionResult | BackendResult): string[] {
  return code === undefined
    ? []
    : [`${name}${'server' in rest ? ` at ${rest.server}` : ''}: ${code}: ${titleOf(code)}`];
}
