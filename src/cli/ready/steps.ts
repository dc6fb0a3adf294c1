import type { Settings } from '../../settings/schema.js';

/** What no program does, in the order in which it is done, by the options that the settings name. */
export function personSteps(settings: Settings): string[] {
  const { serviceEndpoint, fixedIpAccess, fixedIpPlugin, privatePlugin, userIdHeader } = settings;
  const zone = serviceEndpoint?.privateZone;
  return [
    ...(settings.check.mode === 'off'
      ? []
      : [
          'service console: an OAuth application of type enterprise privileged app, with a key pair; after creating it, confirm its authorization',
        ]),
    ...(settings.state.backend === 'local'
      ? ['settings: a remote `state`, before anyone else or a CI job deploys']
      : []),
    ...(typeof zone === 'object' && 'keptElsewhere' in zone
      ? [`${zone.keptElsewhere}: enter the records of the output service-endpoint-records`]
      : []),
    ...(fixedIpAccess
      ? [
          'cloud console: attach the group of the fixed-IP access to the workloads; clients call the fixed-IP base URL',
        ]
      : []),
    ...(fixedIpPlugin
      ? [
          'business manager of the service: ask for allow-listing of the plugin, with the ID of its workspace',
          'service console, resource library: turn on fixed-IP calling of the plugin; attach the group to its backend',
        ]
      : []),
    ...(privatePlugin
      ? [
          'cloud console: grant the cross-service role of endpoint services once; attach the group to the backend',
          'service console, private network management: add a private connection with the service ID of the deploy; put the pending endpoint’s ID into `acceptedEndpointIds` and deploy again',
        ]
      : []),
    ...(userIdHeader ? ['backend: start it with the output user-id-header-options'] : []),
  ];
}
