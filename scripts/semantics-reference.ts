import { SEMANTICS } from '../src/sandbox/provider/semantics.js';

/** What the stand-in provider does as the genuine one, as Markdown. */
export function semanticsReference(): string {
  return [
    '# How the provider behaves',
    '',
    "What the genuine provider (`volcengine/volcenginecc` 0.0.53) does beyond its schema, and the sandbox's stand-in after it, with the place where each was read. Tests show every row on the stand-in with Terraform. This page is generated.",
    '',
    '| | what happens | read in |',
    '| --- | --- | --- |',
    ...SEMANTICS.map(({ name, rule, source }) => `| \`${name}\` | ${rule} | ${source} |`),
    '',
    'Sets of rules, tags, servers and list entries are therefore written in full (`spelledOut` in `src/cloud/table`). Sets whose members the cloud completes cannot be: the zones of an endpoint, and the resources of an endpoint service.',
    '',
    'Compared by hand on both, with the same emulated cloud: 61 invalid configurations, each refused at the same step, every row of this table, and the changes of every part of every rule of a security group, and of every server, tag and entry of a list, ACL or address book, alone and two at a time, which leave the same in the cloud. What differs:',
    '',
    '- The stand-in polls the cloud every 20 ms; the genuine provider waits 1, 2, … 10 s.',
    '- Error texts are worded differently; codes and messages of the cloud are the same.',
    '- The stand-in refuses a negative port of a server in validate; with the genuine provider the cloud does, in the apply.',
    "- A patch of the stand-in replaces whole properties; the genuine provider's addresses members by index. The result is the same.",
    '- What only the real cloud knows (values that it fills in or normalises, quotas) neither shows.',
    '',
  ].join('\n');
}
