import type { Command } from 'commander';
import type { SettingSource } from '../../verify/options.js';

/** The settings whose source a reader of the report wants to know. */
const SHOWN = [
  'enterpriseId',
  'appId',
  'keyId',
  'privateKeyFile',
  'useServerTime',
  'dnsServer',
  'connectTo',
  'resolve',
  'tlsServerName',
  'family',
  'caFile',
  'compareResolver',
  'ownAddress',
  'settle',
  'botId',
  'timeout',
  'wait',
] as const;

const TIMES: ReadonlySet<string> = new Set(['timeout', 'wait']);

export const KEY_VARIABLE = 'SECURE_CONNECTIVITY_PRIVATE_KEY';

/** Where each setting came from; of the private key only the name of its file is shown. */
export function settingSources(command: Command): SettingSource[] {
  const sources = SHOWN.flatMap((name): SettingSource[] => {
    const option = command.options.find((one) => one.attributeName() === name);
    const source = command.getOptionValueSource(name);
    if (option === undefined || source === undefined || source === 'default') return [];
    const found: unknown = command.getOptionValue(name);
    return [
      {
        name: option.long ?? name,
        source: source === 'env' ? (option.envVar ?? 'environment') : 'command line',
        value: TIMES.has(name) ? `${found} ms` : [found].flat().join(', '),
      },
    ];
  });
  const hasFile = sources.some(({ name }) => name === '--private-key-file');
  const hasText = (process.env[KEY_VARIABLE] ?? '') !== '';
  return hasText && !hasFile
    ? [...sources, { name: 'private key', source: KEY_VARIABLE }]
    : sources;
}
