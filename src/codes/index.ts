export { CODES, type Code, type CodeFacts, EXIT, factsOf } from './codes.js';
export { ConnectivityError } from './connectivity-error.js';
