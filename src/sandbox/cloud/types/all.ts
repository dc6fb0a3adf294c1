// The types of every file, apart from the index, which gathers them.
export * from './endpoint-connection.js';
export * from './endpoint-service.js';
export * from './firewall.js';
export * from './listener.js';
export * from './load-balancer.js';
export * from './private-zone.js';
export * from './read-only.js';
export * from './security-group.js';
export * from './vpc.js';
export * from './vpc-endpoint.js';
