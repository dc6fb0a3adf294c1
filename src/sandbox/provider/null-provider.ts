import { nullOperations } from './null-operations.js';
import { nullRow } from './null-row.js';
import type { StandInProvider } from './stand-in-provider.js';

export function nullProvider(): StandInProvider {
  return {
    configuration: {},
    rows: [nullRow],
    configure: () => [],
    operations: () => nullOperations,
    stop: () => undefined,
  };
}
