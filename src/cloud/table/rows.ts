// The rows of every service, apart from the index, which counts them.
export * from './clb.js';
export * from './fwcenter.js';
export * from './privatelink.js';
export * from './privatezone.js';
export * from './vpc.js';
