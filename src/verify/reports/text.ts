import { factsOf, isCode } from '../../codes/codes.js';
import { digestNote } from '../model/access-digest.js';
import { exitOf } from '../model/verdict.js';
import type { LinkResult, Verification } from '../model/verification.js';
import { ONLY_THE_SERVICE, type PluginRow, pluginRows } from './connections.js';
import { changeText, diagnosisText, leadText } from './diagnosis-text.js';
import { placesText } from './places.js';
import { checkedWith, milliseconds } from './stage-facts.js';
import { stageLines } from './stage-lines.js';
import { hanging, PLAIN_LOOK, type TextLook } from './text-layout.js';

/**
 * The report for people: for a link that passes, its stages; for one that fails, first the reason.
 */
export function textReport(verification: Verification, look: Partial<TextLook> = {}): string {
  const whole = { ...PLAIN_LOOK, ...look };
  const { style } = whole;
  const { links, backends = [], changes = [], verdict, elapsedMs } = verification;
  const exit = exitOf(verification);
  return [
    ...(verification.title ? [`${style(verification.title, 'strong')}\n`] : []),
    ...links.map((link) => linkText(link, whole)),
    ...pluginRows(verification).map((row) => pluginText(row, whole)),
    ...(backends.length > 0 ? [`${hanging('', ONLY_THE_SERVICE, whole.width)}\n`] : []),
    ...placesText(verification, whole),
    ...(changes.length > 0 ? [...changes.map((change) => changeText(change, whole)), ''] : []),
    ...(whole.isVerbose ? factLines(verification, whole) : []),
    `${style(verdict, exit === 0 ? 'passed' : 'failed')} in ${milliseconds(elapsedMs)}${exit === 0 ? '' : `, exit ${exit}`}`,
    '',
  ].join('\n');
}

/** With what and with which settings it was checked. */
function factLines(verification: Verification, { style, width }: TextLook): string[] {
  const { settings, accessDigest, skewMs } = verification;
  const facts = [
    ['checked with', checkedWith(verification)],
    ['access digest', accessDigest && `${accessDigest}${digestNote(verification)}`],
    ['clock skew', skewMs === undefined ? '' : `${skewMs} ms`],
    ...settings.map(({ name, source, value }) => [
      name,
      value === undefined ? `from ${source}` : `${value} (${source})`,
    ]),
  ].filter(([, value]) => value !== '');
  const column = Math.max(0, ...facts.map(([name = '']) => name.length));
  return facts.map(([name = '', value = '']) =>
    style(hanging(`${name.padEnd(column)}  `, value, width), 'weak'),
  );
}

function linkText(link: LinkResult, look: TextLook): string {
  const { name, place, via, baseUrl, stages, notes } = link;
  const { style, width } = look;
  const lead = leadText(link, look);
  return [
    hanging(
      `${name}  `,
      `${via}  ${baseUrl}${place === undefined ? '' : `  from ${place}`}${attemptText(link)}`,
      width,
      `${style(name, 'strong')}  `,
    ),
    ...lead,
    ...notes.map((note) =>
      hanging('  note     ', note, width, `  ${style('note', 'warned')}     `),
    ),
    ...rerouteLines(link, look),
    ...stageLines(stages, look),
    ...diagnosisText(link, look),
    '',
  ].join('\n');
}

function rerouteLines({ reroutes }: LinkResult, { style, width, isVerbose }: TextLook): string[] {
  const [first, ...others] = reroutes;
  if (first === undefined) return [];
  const places = new Set(reroutes.map(({ to }) => to)).size;
  const many = `${reroutes.length} addresses are dialled at ${places === 1 ? first.to : 'other ones'}`;
  const texts = reroutes.map(({ from, to }) => `${from} is dialled at ${to}`);
  const shown = isVerbose || others.length === 0 ? texts : [many];
  return shown.map((text) =>
    hanging('  rerouted ', text, width, `  ${style('rerouted', 'warned')} `),
  );
}

const TONE = { passed: 'passed', warned: 'warned', failed: 'failed', skipped: 'warned' } as const;

function pluginText(row: PluginRow, { style, width }: TextLook): string {
  const { name, path, state, status, code, lead } = row;
  const tone = TONE[status];
  return [
    hanging(`${name}  `, `private-plugin  ${path}`, width, `${style(name, 'strong')}  `),
    hanging(
      `  ${lead.padEnd(8)} `,
      state,
      width,
      `  ${style(lead, tone)}${' '.repeat(9 - lead.length)}`,
    ),
    ...(code !== undefined && isCode(code)
      ? [
          hanging(`  ${code}: `, factsOf(code).title, width),
          hanging('    remedy  ', factsOf(code).remedy, width),
        ]
      : []),
    '',
  ].join('\n');
}

function attemptText({ attempts, passes }: LinkResult): string {
  const facts = [
    attempts > 1 && `attempt ${attempts}`,
    passes !== undefined && `passes in a row: ${passes}`,
  ].filter(Boolean);
  return facts.length === 0 ? '' : `  (${facts.join(', ')})`;
}
