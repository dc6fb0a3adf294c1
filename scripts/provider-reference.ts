import { SEMANTICS } from './provider-semantics.js';

/** The behaviour that the stand-in provider shares with the genuine one, as the last part of a page. */
export function providerReference(): string {
  return [
    '## How the provider behaves',
    '',
    "This part lists what the genuine provider (`volcengine/volcenginecc` 0.0.53) does beyond its schema, and the sandbox's stand-in does too, with the source code that shows it. Tests verify every row on the stand-in with Terraform. This part is generated.",
    '',
    '| | what happens | source |',
    '| --- | --- | --- |',
    ...SEMANTICS.map(({ name, rule, source }) => `| \`${name}\` | ${rule} | ${source} |`),
    '',
    'Sets of rules, tags, servers and list entries are therefore written in full (`spelledOut` in `src/cloud/table`). This is not possible for sets whose members the cloud completes: the zones of an endpoint, and the resources of an endpoint service.',
    '',
    'Both were compared manually, with the same emulated cloud. 61 invalid configurations were refused at the same step. Every row of this table was the same. So was the result in the cloud of changing every part of every rule of a security group, and every server, tag and entry of a list, ACL or address book, one and two at a time. The differences are:',
    '',
    '- The stand-in polls the cloud every 20 ms; the genuine provider waits 1, 2, … 10 s.',
    '- Error messages are worded differently; codes and messages from the cloud are the same.',
    '- The stand-in refuses a negative server port in validate; with the genuine provider, the cloud refuses it in the apply.',
    '- A patch from the stand-in replaces whole properties; a patch from the genuine provider addresses members by index. The result is the same.',
    '- Neither shows what only the real cloud knows (values that it fills in or normalizes, quotas).',
    '',
  ].join('\n');
}
