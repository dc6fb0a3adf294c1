import { CHECK, KEY_PAIRS, ROLE } from '../../changes/deployment-rows.js';
import { describeRows } from '../../changes/describe-rows.js';

describeRows({ 'the role': ROLE, 'the check': CHECK, 'key pairs': KEY_PAIRS });
