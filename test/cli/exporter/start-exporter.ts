import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { runCli } from '../../support/run-cli.js';

export interface Got {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export interface RunningExporter {
  readonly url: string;
  readonly get: (path: string, headers?: Record<string, string>, method?: string) => Promise<Got>;
  /** The samples of the exporter's own metric, by the value of their label. */
  readonly own: (metric: string) => Promise<number | undefined>;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly ended: ReturnType<typeof runCli>;
}

/** Runs the program on a free port and waits until it listens; it ends with the test. */
export async function startExporter(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningExporter> {
  let kill: RunningExporter['kill'] = () => undefined;
  let onError: (text: string) => void = () => undefined;
  const listening = new Promise<string>((resolve) => {
    let seen = '';
    onError = (text) => {
      seen += text;
      const [, url] = / at (http:\S+)\/probe\?link=NAME\n/.exec(seen) ?? [];
      if (url !== undefined) resolve(url);
    };
  });
  const ended = runCli(['exporter', '--listen', '127.0.0.1:0', ...args], {
    env,
    onStart: (killer) => {
      kill = killer;
    },
    onError: (text) => onError(text),
  });
  const url = await Promise.race([
    listening,
    ended.then(({ exit, stderr }) => {
      throw new Error(`the exporter ended with ${exit}: ${stderr}`);
    }),
  ]);
  onTestFinished(async () => {
    kill('SIGKILL');
    await ended;
  });
  const get: RunningExporter['get'] = (path, headers = {}, method = 'GET') =>
    fetchText(`${url}${path}`, headers, method);
  const own: RunningExporter['own'] = async (metric) => {
    const { text } = await get('/metrics');
    const line = text.split('\n').find((one) => one.startsWith(`secure_connectivity_${metric}`));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };
  return { url, get, own, kill: (signal) => kill(signal), ended };
}

/** Headers as they are given, the host's too, which no browser's interface allows. */
async function fetchText(
  url: string,
  headers: Record<string, string>,
  method: string,
): Promise<Got> {
  const call = request(url, { headers, method, agent: false });
  call.end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += chunk;
  return {
    status: response.statusCode ?? 0,
    type: response.headers['content-type'] ?? '',
    text,
  };
}

/** Asks again until it is so. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}
