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

const required = (volcenginecc: unknown) => ({
  terraform: { required_providers: { volcenginecc } },
});

const ofOthers = (source: string) =>
  `terraform.required_providers.volcenginecc: ${source} is not known`;

test.each<[json: object, unread: readonly string[]]>([
  [{ resource: { null_resource: { a: {} }, random_id: { b: {} }, terraform_data: { c: {} } } }, []],
  [{ data: { volcenginecc_vpc_vpc: { a: {} }, terraform_remote_state: { b: {} } } }, []],
  [{ resource: { restapi_object: { a: {} } } }, ['restapi_object.a: its type is not known']],
  [{ resource: { volcenginecc_new: { a: {} } } }, ['volcenginecc_new.a: its type is not known']],
  [{ data: { shell_script: { a: {} } } }, ['data.shell_script.a: its type is not known']],
  [{ check: { a: { assert: {} } } }, []],
  [{ check: { a: { data: { external: { b: {} } } } } }, ['check.a: it is not read']],
  [{ ephemeral: { shell_script: { a: {} } } }, ['ephemeral.shell_script.a: it is not read']],
  [{ action: { local_command: { a: {} } } }, ['action: it is not read']],
  [{ removed: [{ from: 'null_resource.a' }] }, []],
  [{ removed: [{ from: 'a.b', lifecycle: [{ destroy: false }] }] }, ['removed: it is not read']],
  [{ removed: [{ from: 'a.b', provisioner: [{}] }] }, ['removed: it is not read']],
  [required({ source: 'volcengine/volcenginecc' }), []],
  [required({ source: 'registry.terraform.io/volcengine/volcenginecc', version: '0.0.53' }), []],
  [required({ source: 'others/volcenginecc' }), [ofOthers('others/volcenginecc')]],
  [
    required({ source: 'registry.example.com/volcengine/volcenginecc' }),
    [ofOthers('registry.example.com/volcengine/volcenginecc')],
  ],
  [required('0.0.53'), [ofOthers('hashicorp/volcenginecc')]],
  [{ resource: { null_resource: { a: { provider: 'null.other' } } } }, []],
  [
    { resource: { null_resource: { a: { provider: 'shell.other' } } } },
    ['terraform.required_providers.shell: hashicorp/shell is not known'],
  ],
  [{ locals: {}, variable: { a: {} }, moved: [{ from: 'a.b', to: 'a.c' }] }, []],
])('what can open or close anything in %j: %j', (json, unread) => {
  expect(unreadParts(readTerraform(json))).toEqual(unread);
});
