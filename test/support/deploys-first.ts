import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Starts the deploys first: each waits for one program after the other, and would have the cores to
 * itself at the end. Where no earlier run has left its times, files are ordered by their length, and theirs
 * are short. A worker that shares its imports would also end where one of them is next.
 */
export class DeploysFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isDeploy = ({ project }: TestSpecification) => project.name === 'e2e';
    return [...sorted.filter(isDeploy), ...sorted.filter((file) => !isDeploy(file))];
  }
}
