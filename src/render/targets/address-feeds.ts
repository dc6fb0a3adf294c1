import type { AccessModel } from '../../access/access-model.js';
import { onlyOpening, serviceText, type Target } from '../model.js';

/** An external dynamic list: a CIDR a line, then a space and a comment. */
export const paloAlto: Target = {
  name: 'palo-alto',
  render: (model: AccessModel) => {
    const { cidrs, ...service } = onlyOpening(model, 'palo-alto');
    const comment = `${serviceText(service)} for ${service.subject}`;
    return cidrs.map(({ text }) => `${text} ${comment}\n`).join('');
  },
};

/** An external address feed: an address or a network a line, and nothing else, not even comments. */
export const fortigate: Target = {
  name: 'fortigate',
  render: (model: AccessModel) =>
    onlyOpening(model, 'fortigate')
      .cidrs.map(({ first, last, text }) => (first === last ? text.replace(/\/.*/, '') : text))
      .map((line) => `${line}\n`)
      .join(''),
};
