import { startProviders } from '../../src/sandbox/provider/stand-in-providers.js';

const { env } = await startProviders(process.env);
console.log(JSON.stringify(env));
process.stdin.resume().on('end', () => process.exit());
