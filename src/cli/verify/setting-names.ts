import type { Command } from 'commander';

/** Fields of the library that are called otherwise than their flag. */
const OTHER_FLAGS: Readonly<Record<string, readonly string[]>> = {
  privateKeyFile: ['privateKeyFile', 'privateKey'],
  compareResolver: ['compareResolvers'],
  ownAddress: ['ownAddresses'],
  timeout: ['timeoutMs'],
  wait: ['waitMs'],
};

/** What to call the fields of the library in errors: the flag, or the variable that the value came from. */
export function settingNames(command: Command): Record<string, string> {
  const names = command.options.flatMap((option) => {
    const attribute = option.attributeName();
    const isFromVariable = command.getOptionValueSource(attribute) === 'env';
    const name = (isFromVariable ? option.envVar : option.long) ?? attribute;
    return (OTHER_FLAGS[attribute] ?? [attribute]).map((field) => [field, name] as const);
  });
  return Object.fromEntries(names);
}
