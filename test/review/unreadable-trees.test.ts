import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTree } from '../../src/reach/read/read-tree.js';
import { temporaryFolder } from '../support/cleanup.js';

async function read(files: Record<string, string>) {
  const tree = await temporaryFolder();
  const folder = join(tree, 'stacks', 'a');
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries({ 'cdk.tf.json': '{"terraform":{}}', ...files }))
    await writeFile(join(folder, name), text);
  return () => readTree(tree, '--head');
}

const access = (ports: string, schema = 'secure-connectivity/access@1') =>
  `{"schema":"${schema}","stack":"a","digest":"d","rules":[{"via":"v","direction":"ingress","subject":"s",
  "peer":{"kind":"cidr","cidr":"10.0.0.0/8"},"protocol":"tcp","ports":${ports},"reason":"r"}]}`;

const group = (ports: string) =>
  `{"resource":{"volcenginecc_vpc_security_group":{"g":{"ingress_permissions":[{"protocol":"tcp",${ports}}]}}}}`;

describe('access rules', () => {
  test.each([
    ['a port with a fraction', access('{"first":443.5,"last":443.5}'), 'ports.first'],
    ['a number too large', access('{"first":1e400,"last":443}'), 'ports.first'],
    ['a port out of range', access('{"first":1,"last":70000}'), 'from 0 to 65535'],
    ['a negative port', access('{"first":-1,"last":443}'), 'from 0 to 65535'],
    ['ports reversed', access('{"first":500,"last":443}'), 'first port before its last'],
    ['another version', access('{"first":1,"last":1}', 'secure-connectivity/access@9'), 'access@1'],
    [
      'a version that begins alike',
      access('{"first":1,"last":1}', 'secure-connectivity/access@10'),
      'access@1',
    ],
    ['null', 'null', 'access rules'],
  ])('%s: one line that names the file', async (_, text, rule) => {
    const reading = await read({ 'access.json': text });
    expect(reading).toThrow(expect.objectContaining({ code: 'usage.invalid' }));
    expect(reading).toThrow(rule);
    expect(reading).toThrow(/^`--head` must [^\n]*stacks\/a\/access\.json$/);
  });

  test('a port that only the deploy knows is read', async () => {
    const token = '-1.8881545897087626e+289';
    const reading = await read({ 'access.json': access(`{"first":${token},"last":${token}}`) });
    expect(reading().get('a')?.access?.rules).toHaveLength(1);
  });
});

describe('Terraform JSON', () => {
  test.each([
    ['null', 'null', 'JSON object'],
    ['nothing', '{}', 'not an empty one'],
    ['a list', '[]', 'JSON object'],
    ['resources as a list', '{"resource":[]}', 'object in `resource`'],
    ['resources as null', '{"resource":null}', 'object in `resource`'],
    ['a type of every object', '{"resource":{"constructor":{"x":{}}}}', 'not "constructor"'],
    ['another one', '{"data":{"__proto__":{"x":{}}}}', 'not "__proto__"'],
    ['a port with a fraction', group('"port_start":443.5,"port_end":443.5'), 'not 443.5'],
    ['a number too large', group('"port_start":1,"port_end":1e400'), 'not too large'],
    ['a port out of range', group('"port_start":1,"port_end":70000'), 'not 70000'],
    ['ports reversed', group('"port_start":500,"port_end":443'), 'in order'],
    [
      'a life cycle that is none',
      '{"resource":{"volcenginecc_vpc_vpc":{"x":{"lifecycle":true}}}}',
      'one object in `resource.volcenginecc_vpc_vpc.x.lifecycle`',
    ],
    [
      'two life cycles',
      '{"resource":{"volcenginecc_vpc_vpc":{"x":{"lifecycle":[{},{}]}}}}',
      'one object in `resource.volcenginecc_vpc_vpc.x.lifecycle`',
    ],
  ])('%s: one line that names the file', async (_, text, rule) => {
    const reading = await read({ 'cdk.tf.json': text });
    expect(reading).toThrow(expect.objectContaining({ code: 'usage.invalid' }));
    expect(reading).toThrow(rule);
    expect(reading).toThrow(/^`--head` must [^\n]*stacks\/a\/cdk\.tf\.json$/);
  });
});
