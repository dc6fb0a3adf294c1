import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Heavy files that take minutes: one that began last would have the cores to itself. Those that install packages
 * come first, for they wait for a registry; the others by their time.
 */
const LONGEST = [
  ...['init', 'consumers', 'changes/api-access', 'ci-templates/action', 'release'],
  ...['changes/plugin-access', 'intents/mutants', 'rehearse/sets', 'rehearse/everyday'],
  ...['rehearse/production', 'changes/deployment', 'state-backends', 'shell-blocks'],
  ...['interruptions', 'faults', 'no-packet', 'namespace/network-namespace'],
].map((name) => `/heavy/${name}.test.ts`);

/**
 * Starts the deploys first: each waits for one program after the other, and would have the cores to
 * itself at the end. Where no earlier run has left its times, files are ordered by their length, and theirs
 * are short. A worker that shares its imports would also end where one of them is next.
 */
export class DeploysFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(name));
      return rank < 0 ? LONGEST.length : rank;
    };
    const isDeploy = ({ project }: TestSpecification) => project.name === 'e2e';
    return [
      ...sorted.filter(isDeploy),
      ...sorted.filter((file) => !isDeploy(file)).sort((a, b) => rankOf(a) - rankOf(b)),
    ];
  }
}
