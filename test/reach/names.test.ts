import { expect, test } from 'vitest';
import { resourceNames } from '../../src/reach/reports/names.js';

const GROUP = 'volcenginecc_vpc_security_group';

test.each([
  ['a construct’s', [`${GROUP}.service-endpoint_3A2AA974`], ['security group service-endpoint']],
  ['one of HCL', [`${GROUP}.web["a.b"]`], ['security group web["a.b"]']],
  ['one of a module', [`module.net["x.y"].${GROUP}.web`], ['security group module.net["x.y"].web']],
  ['a data source', ['data.volcenginecc_vpc_vpc.own'], ['VPC own']],
  [
    'names that two have',
    [`${GROUP}.web_3A2AA974`, `${GROUP}.web_3A2AA975`, 'volcenginecc_clb_listener.web'],
    [`${GROUP}.web_3A2AA974`, `${GROUP}.web_3A2AA975`, 'listener web'],
  ],
  [
    'a resource of its own and a source of one name',
    ['data.volcenginecc_vpc_vpc.own', 'volcenginecc_vpc_vpc.own'],
    ['data.volcenginecc_vpc_vpc.own', 'volcenginecc_vpc_vpc.own'],
  ],
  [
    'what has no kind',
    ['Cloud Firewall, in', 'vpc-1', 'aws_vpc.own', ''],
    ['Cloud Firewall, in', 'vpc-1', 'aws_vpc.own', ''],
  ],
])('resources are called as people do: %s', (_, addresses, names) => {
  expect(addresses.map(resourceNames(addresses))).toEqual(names);
});
