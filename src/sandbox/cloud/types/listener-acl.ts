import { clbAcl, clbListener } from '../../../cloud/table/index.js';
import { type JsonObject, objectsOf, textOf, textsOf } from '../../json.js';
import { CloudError, dependencyViolation } from '../cloud-error.js';
import type { CloudScope, CloudType } from '../cloud-type.js';
import { blockOf } from './vpc.js';

export const listenerAcl: CloudType = {
  row: clbAcl,

  make(input, prior, cloud) {
    const id = prior ? textOf(prior, 'AclId') : cloud.newId('acl');
    const entries = objectsOf(input, 'AclEntries').map((entry) => ({ Description: '', ...entry }));
    const networks = entries.map((entry) => blockOf(textOf(entry, 'Entry')).text);
    if (new Set(networks).size < networks.length) {
      throw new CloudError('InvalidAclEntry.Duplicate', '`AclEntries` must name each network once');
    }
    return {
      AclName: id,
      Description: '',
      ProjectName: 'default',
      Tags: [],
      ...input,
      AclEntries: entries,
      AclEntryCount: entries.length,
      AclId: id,
      CreateTime: prior?.CreateTime ?? cloud.now(),
      ServiceManaged: false,
      Status: 'Active',
      UpdateTime: cloud.now(),
    };
  },

  checkDelete(properties, cloud) {
    const id = textOf(properties, 'AclId');
    const listeners = listenersWith(id, cloud).map((each) => textOf(each, 'ListenerId'));
    if (listeners.length > 0) throw dependencyViolation(id, listeners);
  },

  read(properties, cloud) {
    return {
      Listeners: listenersWith(textOf(properties, 'AclId'), cloud).map((each) => ({
        AclType: textOf(each, 'AclType'),
        ListenerId: textOf(each, 'ListenerId'),
        ListenerName: textOf(each, 'ListenerName'),
        Port: Number(each.Port),
        Protocol: textOf(each, 'Protocol'),
      })),
    };
  },
};

function listenersWith(aclId: string, cloud: CloudScope): JsonObject[] {
  return cloud
    .all(clbListener.cloudType)
    .filter((listener) => textsOf(listener, 'AclIds').includes(aclId));
}
