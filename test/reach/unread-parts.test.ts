import { expect, test } from 'vitest';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { unreadParts } from '../../src/reach/ways/unread-parts.js';

test.each([
  [['tags', 'tags["owner"]', 'description'], []],
  [['ingress_permissions'], ['callers']],
  [['tags', 'ingress_permissions[0].cidr_ip'], ['callers']],
  ['all', ['callers']],
])('ignored changes of %j leave unknown who is let in: %j', (ignored, unread) => {
  const callers = { vpc_id: 'vpc-1a2b', lifecycle: { ignore_changes: ignored } };
  const resource = { volcenginecc_vpc_security_group: { callers } };
  expect(unreadParts(readTerraform({ resource }))).toEqual(
    unread.map(
      (name) =>
        `volcenginecc_vpc_security_group.${name}: the cloud may have other values than are written`,
    ),
  );
});
