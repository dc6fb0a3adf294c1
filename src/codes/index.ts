export { CODES, type Code, type CodeFacts, EXIT, factsOf, isCode } from './codes.js';
export { ConnectivityError } from './connectivity-error.js';
