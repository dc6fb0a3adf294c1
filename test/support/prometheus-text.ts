export interface Sample {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = String.raw`([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"`;
const SAMPLE = new RegExp(
  String.raw`^(${NAME})(?:\{(${LABEL}(?:,${LABEL})*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$`,
);

/**
 * Reads the text format as a strict collector does: HELP and TYPE once, before the samples; samples of
 * a metric together; no sample twice; a line feed at the end.
 */
export function parsePrometheus(text: string): Sample[] {
  if (!text.endsWith('\n')) throw new Error('no line feed at the end');
  const samples: Sample[] = [];
  const finished = new Set<string>();
  const seen = new Set<string>();
  let current = '';
  let stage: 'help' | 'type' | 'samples' = 'samples';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, help] = new RegExp(`^# HELP (${NAME}) \\S.*$`).exec(line) ?? [];
    const [, type] = new RegExp(`^# TYPE (${NAME}) (?:gauge|counter)$`).exec(line) ?? [];
    if (help !== undefined) {
      if (stage !== 'samples' || finished.has(help)) throw new Error(`HELP out of place: ${line}`);
      finished.add(help);
      current = help;
      stage = 'help';
    } else if (type !== undefined) {
      if (stage !== 'help' || type !== current) throw new Error(`TYPE out of place: ${line}`);
      stage = 'type';
    } else {
      const [, metric = '', labels = '', value] = matchSample(line);
      if (stage === 'help' || metric !== current) throw new Error(`sample out of place: ${line}`);
      if (seen.has(`${metric}{${labels}`)) throw new Error(`twice: ${line}`);
      seen.add(`${metric}{${labels}`);
      stage = 'samples';
      samples.push({ metric, labels: labelsOf(labels), value: Number(value) });
    }
  }
  return samples;
}

function matchSample(line: string): (string | undefined)[] {
  const found = SAMPLE.exec(line);
  if (found === null) throw new Error(`no sample: ${line}`);
  return [found[0], found[1], found[2], found.at(-1)];
}

function labelsOf(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(new RegExp(LABEL, 'g'))) {
    if (name in found) throw new Error(`label ${name} appears twice`);
    found[name] = value.replace(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one));
  }
  return found;
}
