import { expect, test } from 'vitest';
import { refuseLockedState } from '../../src/terraform/terraform-folder.js';

const REFUSED = `
│ Error: Error acquiring the state lock
│
│ Error message: resource temporarily unavailable
│ Lock Info:
│   ID:        6fa0b4f8-3a4c-27fd-9d55-0c1d0e6e1a3c
│   Path:      terraform.tfstate
│   Operation: OperationTypeApply
│   Who:       ci@runner-7
│   Version:   1.12.6
`;

test.each([
  ['tofu', '/srv/a stack', "tofu -chdir='/srv/a stack'"],
  ['/opt/terraform', '/srv/stack', '/opt/terraform -chdir=/srv/stack'],
])('the command that releases a lock runs %s on %s', (program, folder, command) => {
  expect(() => refuseLockedState({ name: 'api', folder, program }, REFUSED)).toThrow(
    expect.objectContaining({
      code: 'deploy.state-locked',
      message: `the state of api is locked by another run (ci@runner-7, OperationTypeApply). Wait until that run has ended, then run this again; if it has died: ${command} force-unlock 6fa0b4f8-3a4c-27fd-9d55-0c1d0e6e1a3c`,
    }),
  );
});
