import { change } from './deploy.js';

/** `secure-connectivity destroy`: `cdktf destroy` with an exit status that can be relied on. */
export default function destroy(args: readonly string[]): Promise<number> {
  return change('destroy', args);
}
