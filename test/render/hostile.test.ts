import { describe, expect, test } from 'vitest';
import { checkAccessModel } from '../../src/access/access-file.js';
import type { AccessRule } from '../../src/access/access-rule.js';
import { slug, type Target } from '../../src/render/model.js';
import { selectRules } from '../../src/render/select-rules.js';
import { TARGETS } from '../../src/render/target-table.js';
import { csvRows } from './evaluators/tables.js';
import { cidrRule, MIXED, modelOf, rule } from './models.js';

const TARGETS_BY_NAME = new Map(
  await Promise.all(TARGETS.map(async ({ name, load }) => [name, await load()] as const)),
);

const NAMES = [...TARGETS_BY_NAME.keys()];

function targetNamed(name: string): Target {
  const target = TARGETS_BY_NAME.get(name);
  if (target === undefined) throw new Error(`no ${name}`);
  return target;
}

function render(name: string, ...rules: readonly AccessRule[]): string {
  return targetNamed(name).render(modelOf(...rules));
}

/** What a form makes of rules, or why it refuses them. */
function said(name: string, ...rules: readonly AccessRule[]): string {
  try {
    return render(name, ...rules);
  } catch (error) {
    return (error as Error).message;
  }
}

describe('access rules from a file', () => {
  const file = { ...modelOf(rule), rules: [rule] };
  const withCidr = (cidr: string) => ({ ...file, rules: [cidrRule(cidr)] });

  test.each([
    [
      'a name with a line break',
      { ...file, rules: [{ ...rule, subject: 'a\nadd rule' }] },
      /rules\.0\.subject.*control characters/,
    ],
    ['a stack with a line break', { ...file, stack: 'a\r' }, /`stack`.*control characters/],
    [
      'a reason with a line separator',
      { ...file, rules: [{ ...rule, reason: 'a\u2028b' }] },
      /rules\.0\.reason/,
    ],
    [
      'a value that is unknown',
      withCidr('${aws.x}'),
      /rules\.0\.peer\.cidr.*not known before the deploy/,
    ],
    ['a leading zero', withCidr('010.0.0.1/32'), /leading zero/],
    ['host bits', withCidr('198.51.100.1/24'), /host bits set; the network is 198\.51\.100\.0\/24/],
    ['a mask beyond the end', withCidr('198.51.100.1/33'), /mask that is not 0 to 32/],
    ['no mask', withCidr('198.51.100.1'), /has no mask/],
    ['an IPv4-mapped address', withCidr('::ffff:198.51.100.1/128'), /IPv4-mapped/],
    [
      'ports upside down',
      { ...file, rules: [{ ...rule, ports: { first: 2, last: 1 } }] },
      /rules\.0\.ports.*first not above the last/,
    ],
    [
      'an unknown field',
      { ...file, rules: [{ ...rule, deny: true }] },
      /`rules\.0\.deny` must not be there/,
    ],
    ['another file', { name: 'package' }, /`schema`/],
  ])('with %s are refused', (_, value, message) => {
    expect(() => checkAccessModel(value)).toThrow(
      expect.objectContaining({ code: 'usage.invalid', message: expect.stringMatching(message) }),
    );
  });

  test('are taken as they are', () => {
    expect(checkAccessModel(JSON.parse(JSON.stringify(MIXED)))).toEqual(MIXED);
  });
});

describe('a form that cannot say a rule exactly refuses it', () => {
  const account = { ...rule, peer: { kind: 'account', account: '123' } } as const;
  const ping = cidrRule('198.51.100.1/32', { protocol: 'icmp', ports: { first: -1, last: -1 } });

  test.each(
    NAMES.filter((name) => !targetNamed(name).showsRules),
  )('%s: a peer without addresses, and no rule at all', (name) => {
    expect(() => render(name, account)).toThrow(/by address only.*account.*--rules peer=cidr/);
    expect(() => render(name)).toThrow(
      expect.objectContaining({
        code: 'usage.invalid',
        message: expect.stringMatching(/needs at least one rule, got: none/),
      }),
    );
  });

  test.each(NAMES)('%s: two subjects', (name) => {
    const other = { ...cidrRule('198.51.100.2/32'), subject: 'plugins' };
    expect(said(name, rule, other)).toMatch(/ of one subject|agents[\s\S]*plugins/);
  });

  test.each(NAMES)('%s: two ports', (name) => {
    const other = cidrRule('198.51.100.10/32', { ports: { first: 80, last: 80 } });
    expect(said(name, rule, other)).toMatch(
      /one subject, direction, protocol and port, got: agents egress tcp 80; agents egress tcp 443|\b80\b[\s\S]*\b443\b/,
    );
  });

  test('kubernetes: icmp, and ranges from port 0, but not all ports of a protocol', () => {
    expect(() => render('kubernetes', ping)).toThrow(/icmp/);
    const zero = cidrRule('198.51.100.1/32', { ports: { first: 0, last: 9 } });
    expect(() => render('kubernetes', zero)).toThrow(/port 0/);
    const all = cidrRule('198.51.100.1/32', { ports: { first: 0, last: 65535 } });
    expect(render('kubernetes', all)).toMatch(/- protocol: TCP\n(?! *port)/);
  });
});

describe('no cell of a CSV file is a formula to a spreadsheet', () => {
  const HOSTILE = [
    '=1+1',
    '+1',
    '-1',
    '@SUM',
    '＝1',
    "'=1",
    "''-1",
    "'quoted'",
    '=A1,"x"',
    'a\n=1',
  ];
  const cellOf = (subject: string) => {
    const [, row = []] = csvRows(render('csv', { ...rule, subject }));
    return row[2];
  };

  test.each(HOSTILE)('%s', (subject) => {
    expect([subject, `'${subject}`]).toContain(cellOf(subject));
    expect(cellOf(subject)).not.toMatch(/^[=+\-@＝＋－＠]/);
  });

  test('different texts have different cells', () => {
    expect(new Set(HOSTILE.map(cellOf)).size).toBe(HOSTILE.length);
  });

  test('a formula in quotes, and ports that a protocol has not', () => {
    const text = render(
      'csv',
      { ...rule, reason: '=A1,"x"' },
      cidrRule('198.51.100.1/32', { protocol: 'icmp', ports: { first: -1, last: -1 } }),
    );
    expect(text).toContain(`,"'=A1,""x""",`);
    expect(text).toContain(',icmp,,,');
    expect(csvRows(text).map((row) => row.length)).toEqual([12, 12, 12]);
  });
});

describe('--rules', () => {
  test('parts of a filter must all hold, one of the filters is enough', () => {
    const kept = selectRules(MIXED, [
      'direction=ingress,port=8440',
      'via=fixed-ip-egress,protocol=tcp',
    ]);
    expect(kept.rules).toHaveLength(25);
    expect(selectRules(MIXED, ['direction=ingress']).rules).toHaveLength(1);
    expect(kept.digest).toBe(MIXED.digest);
  });

  test.each([
    ['peers=cidr', /FIELD one of via, direction, subject, peer, protocol, port, got: "peers=cidr"/],
    ['toString=1', /FIELD=VALUE/],
    ['via', /FIELD=VALUE/],
    ['via=plugin-endpoint-service', /must leave at least one of 26 rules/],
  ])('%s is refused', (filter, message) => {
    expect(() => selectRules(MIXED, [filter])).toThrow(message);
  });
});

describe('slug', () => {
  test.each(['agents', 'api-access-production', 'a1'])('%s stays as it is', (text) => {
    expect(slug(text)).toBe(text);
  });

  test('different texts get different names of letters, digits and hyphens', () => {
    const texts = [
      'Agents',
      'agents',
      'agents ',
      '代理',
      'a--b',
      'a-b',
      '-',
      'x'.repeat(41),
      'x'.repeat(42),
    ];
    const names = texts.map(slug);
    expect(new Set(names).size).toBe(texts.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(40);
  });
});
