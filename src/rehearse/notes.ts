import { REACHABLE } from './check.js';
import type { RehearsedTree } from './read-trees.js';
import type { CheckResult } from './report-schema.js';
import type { Stage } from './stage/stage.js';

/** What a reader has to know of how it was rehearsed. */
export function notesOf({ standIns }: Stage, base: RehearsedTree, head: RehearsedTree): string[] {
  const gone = base.filter(({ name }) => !head.some((stack) => stack.name === name));
  const hasProvisioners = [...base, ...head].some(({ terraform }) =>
    terraform.resources.some(({ body }) => body.provisioner !== undefined),
  );
  return [
    ...gone.map(({ name }) => `${name} is not in the head: a deploy leaves it as it is`),
    ...(standIns.length === 0
      ? []
      : [
          `the trees name ${standIns.join(', ')} and do not make them: stand-ins are there in the sandbox, give their true facts with \`--with FILE\``,
        ]),
    ...(hasProvisioners
      ? ['no provisioner of the trees is run; the rehearsal makes the check itself']
      : []),
  ];
}

export function baseNotes({ links }: CheckResult): string[] {
  return links
    .filter(({ seen }) => seen !== REACHABLE)
    .map(({ name, seen }) => `the check of the base fails already: ${name}: ${seen}`);
}
