import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { remember } from '../../src/lists/remember.js';
import { makePicture } from '../../src/picture/make-picture.js';
import { pictureAsMermaid } from '../../src/picture/mermaid.js';
import { type Picture, sentenceOf } from '../../src/picture/model.js';
import { pictureFigure } from '../../src/picture/page.js';
import { pictureAsSvg } from '../../src/picture/svg.js';
import { readQuestion } from '../../src/reach/questions/read-question.js';
import { partsAsked, reachReport } from '../../src/reach/questions/report.js';
import { openParts, reachTable } from '../../src/reach/questions/table.js';
import { readPeer } from '../../src/reach/questions/wrong-ends.js';
import { readTree } from '../../src/reach/read/read-tree.js';
import { readTerraform } from '../../src/reach/read/terraform-json.js';
import { overlaps, readPorts } from '../../src/reach/sets/services.js';
import { type Reached, readReached } from '../../src/reach/ways/doors.js';
import { randomTree } from '../reach/random-tree.js';
import { randomOf } from '../reach/two-engines.js';
import { from, stackOf } from '../review/trees.js';
import { runs } from '../support/samples.js';
import { synthesizeAll } from '../support/synthesize-all.js';
import { allNamed, parseXml } from '../support/xml.js';

const SETTINGS = readdirSync('stacks/settings').map((file) => basename(file, '.json'));
const read = (name: string) => JSON.parse(readFileSync(`stacks/settings/${name}.json`, 'utf8'));
const TREES = synthesizeAll(Object.fromEntries(SETTINGS.map((name) => [name, read(name)])));

const file = 'cdk.tf.json';
const reachedOf = (resource: object, name = 'api') =>
  readReached({ name, file, terraform: readTerraform({ resource }) });
const fixtures = SETTINGS.map((name) =>
  [...readTree(join(TREES, name), 'tree').values()].map((one) => readReached({ ...one, file })),
);
const random = (count: number, seed: number) =>
  Array.from({ length: count }, (_, i) => [
    reachedOf(randomTree(randomOf(seed * 7919 + i)).resource),
  ]);

const linesOf = ({ places }: Picture) =>
  places.flatMap((place) => place.lines.map((line) => ({ place, line })));

type Drawn = ReturnType<typeof linesOf>[number];

/** Reads the packet of a line; undefined where it has none, or one without a port. */
function packetOf({ place, line }: Drawn) {
  const [, from = '', to = '', protocol, port] =
    /^(.+) to (.+), (tcp|udp) (\d+)$/.exec(line.packet) ?? [];
  if ((protocol !== 'tcp' && protocol !== 'udp') || port === '0') return undefined;
  const peer = readPeer(place.direction === 'ingress' ? from : to);
  const services = readPorts(protocol, Number(port), Number(port));
  return {
    from,
    to: to.includes(':') ? `[${to}]:${port}` : `${to}:${port}`,
    protocol,
    peer,
    services,
  };
}

/** The answers of `reach` to the packet of a line: one for each place of its name. */
function answersTo(one: Drawn, stacks: readonly Reached[]) {
  const packet = packetOf(one);
  if (packet === undefined) return undefined;
  const { from, to, protocol } = packet;
  const own = stacks.filter(({ name }) => name === one.place.stack);
  const written = { from, to, protocol };
  const asked = { ...written, question: readQuestion(written, own) };
  return reachReport(own, asked).question?.places.map(({ answer }) => answer);
}

const ANSWERS = { open: 'reachable', doubt: 'undecided', closed: 'closed' } as const;

test.each([
  ['the shipped settings', fixtures],
  ['random trees', random(runs(25), 1)],
])('of %s every row of reach is in a line, and the packet of each line is answered as it is drawn', (_, trees) => {
  let asked = 0;
  for (const stacks of trees) {
    const picture = makePicture({ stacks });
    const rows = linesOf(picture).flatMap(({ line }) =>
      line.rows.map((row) => JSON.stringify(row)),
    );
    expect(rows.sort()).toEqual(
      reachTable(stacks)
        .map((row) => JSON.stringify(row))
        .sort(),
    );
    for (const one of linesOf(picture)) {
      expect(one.line.rows.length > 0).toBe(one.line.state !== 'closed');
      const answers = stacks.some(({ unseen }) => unseen.length > 0)
        ? undefined
        : answersTo(one, stacks);
      if (answers === undefined) continue;
      asked += 1;
      expect(answers, JSON.stringify(one.line)).toContain(ANSWERS[one.line.state]);
    }
  }
  expect(asked).toBeGreaterThan(trees.length);
});

const partsOf = remember((stack: Reached) => openParts(stack));

/**
 * How open a place is to the packet of a line: 0 closed, 1 in doubt, 2 open; undefined of packets that are not asked
 * about, and where a name has several places.
 */
function opennessOf({ place, line }: Drawn, stacks: readonly Reached[]): number | undefined {
  const { peer, services } = packetOf({ place, line }) ?? {};
  if (peer === undefined || services === undefined) return undefined;
  const isPlace = (way: { direction: string; subject: string }) =>
    way.direction === place.direction && way.subject === place.subject;
  if (stacks.flatMap(({ ways }) => ways.filter(isPlace)).length > 1) return undefined;
  const parts = stacks.flatMap(partsOf).filter(({ way, range, ...part }) => {
    const isThere = isPlace(way);
    const isAt = range.first <= peer.first && peer.last <= range.last;
    const isOf = part.peer.kind === 'addresses' && part.peer.family === peer.family;
    return isThere && isAt && isOf && overlaps(range.services, services);
  });
  return Math.max(0, ...parts.map(({ depends }) => (depends.length === 0 ? 2 : 1)));
}

test('what comes and goes between random trees is so by the rows of both', () => {
  const [base, head] = [random(runs(12), 2), random(runs(12), 3)];
  const marks = { added: 0, removed: 0, kept: 0 };
  for (const [i, now] of head.entries()) {
    const was = base[i] ?? [];
    for (const one of linesOf(makePicture({ stacks: now }, { stacks: was }))) {
      const [before, after] = [opennessOf(one, was), opennessOf(one, now)];
      if (before === undefined || after === undefined) continue;
      const { mark, state } = one.line;
      marks[mark] += 1;
      const wanted = state === 'closed' ? 0 : { added: 1, removed: -1, kept: 0 }[mark];
      expect(Math.sign(after - before), `${i} ${JSON.stringify(one.line)}`).toBe(wanted);
    }
  }
  for (const count of Object.values(marks)) expect(count).toBeGreaterThan(3);
});

const rule = (cidr_ip: string, port: number, facts: object = {}) => ({
  ...{ policy: 'accept', priority: 1, protocol: 'tcp', port_start: port, port_end: port, cidr_ip },
  ...facts,
});
const endpoint = (name: string, ...ingress_permissions: readonly object[]) => ({
  volcenginecc_vpc_security_group: { [name]: { vpc_id: 'vpc-1', ingress_permissions } },
  volcenginecc_privatelink_vpc_endpoint: {
    [name]: {
      vpc_id: 'vpc-1',
      security_group_ids: [`\${volcenginecc_vpc_security_group.${name}.security_group_id}`],
    },
  },
});
const many = Array.from({ length: 40 }, (_, i) => rule(`10.0.${2 * i}.0/24`, 443));

describe('a drawing', () => {
  test('folds many networks into one box with their number, and has each of them below', () => {
    const picture = makePicture({ stacks: [reachedOf(endpoint('orders', ...many))] });
    const open = linesOf(picture).filter(
      ({ line, place }) => line.state === 'open' && place.direction === 'ingress',
    );
    expect(open.map(({ line }) => [line.label, line.peers.length])).toEqual([['40 networks', 40]]);
    const page = pictureFigure(() => picture).page().markup;
    expect(page).toContain('10.0.0.0/24, 10.0.2.0/24');
    expect(page).toContain('10.0.78.0/24');
  });

  test('draws a door closed that stops what the place accepts, with the rule that does', () => {
    const acl = {
      volcenginecc_fwcenter_control_policy: {
        drop: {
          ...{ direction: 'in', action: 'deny', proto: 'ANY', status: true, prio: 1 },
          ...{ source: '8.8.8.0/24', source_type: 'net' },
          ...{ destination: '0.0.0.0/0', destination_type: 'net' },
        },
      },
    };
    const place = endpoint('orders', rule('8.8.0.0/16', 443));
    const lines = linesOf(makePicture({ stacks: [reachedOf({ ...place, ...acl })] }));
    const closed = lines.find(({ line }) => line.state === 'closed' && line.peers.length > 0);
    if (closed === undefined) throw new Error('no door is closed');
    expect(sentenceOf(closed.line, closed.place)).toMatch(
      /^8\.8\.8\.0\/24 cannot reach \S+ on tcp 443: closed at Cloud Firewall /,
    );
    expect(closed.line.rules.map(({ effect, resource }) => `${effect} ${resource}`)).toContain(
      'drop volcenginecc_fwcenter_control_policy.drop',
    );
  });

  test('is of what is asked alone', () => {
    const stacks = [reachedOf(endpoint('orders', ...many))];
    const written = {
      from: '10.0.1.1',
      to: 'volcenginecc_privatelink_vpc_endpoint.orders:443',
      protocol: 'tcp',
    };
    const picture = makePicture(partsAsked(stacks, readQuestion(written, stacks)));
    expect(linesOf(picture).map(({ line, place }) => sentenceOf(line, place))).toEqual([
      expect.stringMatching(/^10\.0\.1\.1 cannot reach .* on tcp 443: closed at endpoint orders$/),
    ]);
  });

  test('marks what opens and closes by sign, colour and stroke', () => {
    const [was, now] = [rule('10.1.0.0/16', 443), rule('10.2.0.0/16', 443)].map((own) => [
      reachedOf(endpoint('orders', rule('10.3.0.0/16', 443), own)),
    ]);
    const picture = makePicture({ stacks: now ?? [] }, { stacks: was ?? [] });
    const svg = pictureAsSvg(picture);
    for (const [mark, cidr, verb] of [
      ['added', '10.2.0.0/16', 'can now reach'],
      ['removed', '10.1.0.0/16', 'can no longer reach'],
      ['kept', '10.3.0.0/16', 'can reach'],
    ]) {
      expect(svg).toMatch(
        new RegExp(`<g class="line ${mark} open"[^>]*aria-label="${cidr} ${verb} `),
      );
    }
    const mermaid = pictureAsMermaid(picture);
    expect(mermaid).toMatch(/ ==>\|"\+ tcp 443"\| /);
    expect(mermaid).toMatch(/ -\.-x\|"− tcp 443"\| /);
    expect(mermaid.match(/linkStyle \d+ stroke/g)).toHaveLength(2);
  });
});

/** Ends markup, a label or a line, erases a screen, turns the text around, or is a command of a CI runner. */
const HOSTILE = '"]--><script>x</script></title>\u001b[2J\u202e\u2028 ##[error]x `|& click n0';

test('lets no name of a tree become markup, syntax or a command', () => {
  const stated = [
    from('10.0.0.0/8', { subject: `a${HOSTILE}`, reason: HOSTILE }),
    from('10.9.0.0/16', { subject: `b${HOSTILE}`, direction: 'egress', via: 'fixed-ip-egress' }),
    from('10.0.0.0/8', { subject: HOSTILE, peer: { kind: 'account', account: HOSTILE } }),
  ];
  const stacks = [readReached({ ...stackOf(stated, {}, `s${HOSTILE}`), file })];
  const picture = makePicture({ stacks }, { stacks: [] });
  const { markup } = pictureFigure(() => picture).page();
  const svg = pictureAsSvg(picture);
  for (const text of [markup, svg, pictureAsMermaid(picture)]) {
    expect(text).not.toMatch(/<script|##|[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
    expect(text).toContain('account');
  }
  const titles = allNamed(parseXml(svg), 'title').map(({ text }) => text);
  expect(titles.filter((title) => title.includes('reach')).length).toBeGreaterThanOrEqual(3);
  const ids = pictureAsMermaid(picture).match(/^ +n\d+[[({]/gm);
  for (const line of pictureAsMermaid(picture).split('\n').slice(1)) {
    expect(line).toMatch(
      /^ +(?:n\d+[[({].*[\])}]|n\d+ [-=.>x]+(?:\|".*"\|)? ?n\d+|subgraph .*|end|linkStyle .*)$|^$/,
    );
  }
  expect(new Set(ids).size).toBe(ids?.length);
});
