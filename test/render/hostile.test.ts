import { describe, expect, test } from 'vitest';
import { checkAccessModel } from '../../src/access/access-file.js';
import type { AccessRule } from '../../src/access/access-rule.js';
import type { Target } from '../../src/render/model.js';
import { slug } from '../../src/render/sections.js';
import { selectRules } from '../../src/render/select-rules.js';
import { TARGETS } from '../../src/render/target-table.js';
import { cidrRule, MIXED, modelOf, ONE_SERVICE, rule } from './models.js';

const TARGETS_BY_NAME = new Map(
  await Promise.all(TARGETS.map(async ({ name, load }) => [name, await load()] as const)),
);

const NAMES = [...TARGETS_BY_NAME.keys()];

/** Policies, which are read as the YAML that they are. */
const YAML = ['kubernetes', 'cilium'];

function targetNamed(name: string): Target {
  const target = TARGETS_BY_NAME.get(name);
  if (target === undefined) throw new Error(`no ${name}`);
  return target;
}

function render(name: string, ...rules: readonly AccessRule[]): string {
  return targetNamed(name).render(modelOf(...rules));
}

/** Reads the rules of a form again, or says why it refuses them. */
function said(name: string, ...rules: readonly AccessRule[]): string {
  try {
    return JSON.stringify(targetNamed(name).parse(render(name, ...rules)));
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
      expect.objectContaining({ code: 'access.invalid', message: expect.stringMatching(message) }),
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
        code: 'render.unsupported',
        message: expect.stringMatching(/needs at least one rule, got: none/),
      }),
    );
  });

  test.each(NAMES)('%s: two subjects', (name) => {
    const other = { ...cidrRule('198.51.100.2/32'), subject: 'plugins' };
    expect(said(name, rule, other)).toMatch(
      / of one subject|"subject":"agents".*"subject":"plugins"/,
    );
  });

  test.each(NAMES)('%s: two ports', (name) => {
    const other = cidrRule('198.51.100.10/32', { ports: { first: 80, last: 80 } });
    expect(said(name, rule, other)).toMatch(
      /one subject, direction, protocol and port, got: agents egress tcp 80; agents egress tcp 443|"first":80,.*"first":443,/,
    );
  });

  test.each(YAML)('%s: icmp, and ranges from port 0', (name) => {
    expect(() => render(name, ping)).toThrow(/icmp/);
    const zero = cidrRule('198.51.100.1/32', { ports: { first: 0, last: 9 } });
    expect(() => render(name, zero)).toThrow(/port 0/);
  });

  test('cilium: all ports of a protocol', () => {
    const all = cidrRule('198.51.100.1/32', { ports: { first: 0, last: 65535 } });
    expect(() => render('cilium', all)).toThrow(/needs a port, got: egress tcp for agents/);
    expect(render('kubernetes', all)).toMatch(/- protocol: TCP\n(?! *port)/);
  });

  test('iptables: the network of all addresses', () => {
    expect(() => render('iptables', cidrRule('0.0.0.0/0'))).toThrow(
      /all addresses, got: 0\.0\.0\.0\/0/,
    );
  });
});

describe('no cell of a CSV file is a formula to a spreadsheet', () => {
  const csv = targetNamed('csv');
  const cells = (text: string) =>
    text
      .trim()
      .split('\n')
      .slice(1)
      .flatMap((row) => row.split(','));

  test.each(['=1+1', '+1', '-1', '@SUM', '＝1', "'=1", "''-1", "'quoted'"])('%s', (subject) => {
    const text = render('csv', { ...rule, subject, reason: subject });
    expect(cells(text).filter((cell) => /^[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
    expect(csv.parse(text)).toMatchObject([{ subject }]);
  });

  test('a formula in quotes, and ports that a protocol has not', () => {
    const text = render(
      'csv',
      { ...rule, reason: '=A1,"x"' },
      cidrRule('198.51.100.1/32', { protocol: 'icmp', ports: { first: -1, last: -1 } }),
    );
    expect(text).toContain(`,"'=A1,""x""",`);
    expect(text).toContain(',icmp,,,');
    expect(csv.parse(text)).toHaveLength(2);
  });
});

describe('a file that was not rendered is refused with the line', () => {
  const parse = (name: string, text: string) => targetNamed(name).parse(text);
  const rendered = (name: string) => targetNamed(name).render(ONE_SERVICE);

  test.each(NAMES)('%s: nothing, and rubbish', (name) => {
    for (const text of ['', '\n', 'rubbish', '{']) {
      expect(() => parse(name, text), JSON.stringify(text)).toThrow(
        expect.objectContaining({
          code: 'render.unreadable',
          message: expect.stringMatching(/was edited after rendering/),
        }),
      );
    }
  });

  test.each(
    NAMES.filter((name) => !YAML.includes(name)),
  )('%s: lines that end as on another system', (name) => {
    const text = rendered(name).replaceAll('\n', '\r\n');
    expect(() => parse(name, text)).toThrow(/was edited after rendering/);
  });

  test.each([
    [
      'an address at the end',
      (text: string) => `${text}192.0.2.9\n`,
      /in line 4, got: "192.0.2.9, which belongs before line 1"/,
    ],
    [
      'a comment',
      (text: string) => text.replace('\n', '\n# office\n'),
      /in line 2, got: "# office"/,
    ],
    ['a line without an address', (text: string) => `\n${text}`, /in line 1, got: "an empty line"/],
    ['nothing', () => '', /rendering, got: "an empty file"/],
    [
      'line ends of Windows',
      (text: string) => text.replaceAll('\n', '\r\n'),
      /in line 1, got: "198[^"]* a line end of CRLF"/,
    ],
  ])('a feed with %s is shown with the line and what it holds', (_, change, message) => {
    const addresses = ['198.51.100.1/32', '198.51.100.7/32', '203.0.113.0/24'];
    const text = targetNamed('fortigate').render(
      modelOf(...addresses.map((cidr) => cidrRule(cidr))),
    );
    expect(() => parse('fortigate', change(text))).toThrow(message);
  });

  test('a rule that others added is shown', () => {
    const text = rendered('nftables').replace(
      /^(add rule .* egress drop)$/m,
      'add rule inet x egress accept\n$1',
    );
    expect(() => parse('nftables', text)).toThrow(
      /line \d+: .*, got: "add rule inet x egress accept"/,
    );
  });

  test('an alias of YAML is not followed', () => {
    const text = rendered('kubernetes').replace('egress:', 'x: &a [1]\n  y: [*a, *a]\n  egress:');
    expect(() => parse('kubernetes', text)).toThrow(/was edited after rendering/);
  });

  test('a policy that is there twice is shown', () => {
    const text = rendered('kubernetes');
    expect(() => parse('kubernetes', `${text}---\n${text}`)).toThrow(
      /was edited after rendering, got: "{\\"apiVersion/,
    );
  });

  test('comments and the layout of YAML are free', () => {
    const text = rendered('kubernetes').replace('port: 443', 'port: 443 # https');
    expect(parse('kubernetes', `# ours\n${text}`)).toEqual(
      parse('kubernetes', rendered('kubernetes')),
    );
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
