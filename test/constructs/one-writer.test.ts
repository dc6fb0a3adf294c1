import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Resources that decide who may talk to whom. */
const RULE_RESOURCES = [
  'VpcSecurityGroup',
  'VpcPrefixList',
  'FwcenterAddressBook',
  'FwcenterControlPolicy',
  'ClbAcl',
  'PrivatelinkVpcEndpointConnection',
];

const files = ['src', 'stacks']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => file.endsWith('.ts'));

test.each(RULE_RESOURCES)('only one writer makes a %s', (name) => {
  const writers = files.filter((file) =>
    new RegExp(`new cloud\\.${name}\\(`).test(readFileSync(file, 'utf8')),
  );
  expect(writers).toHaveLength(1);
  expect(writers[0]).toMatch(/^src\/constructs\/rules\//);
});
