const MAX_PAGES = 100;

/** A forge that did not answer with success; the message has no text of its answer. */
export class ForgeError extends Error {
  /** @param {string} method @param {string} path @param {number | string} status */
  constructor(method, path, status) {
    super(`${method} ${path}: ${status}`);
    this.status = status;
  }
}

/** @param {string} base @param {Record<string, string>} headers */
export function forgeClient(base, headers) {
  const send = async (method, url, body) => {
    const { pathname, origin } = new URL(url);
    // A link to the next page must not take the token elsewhere.
    if (origin !== new URL(base).origin) throw new ForgeError(method, pathname, 'another host');
    const response = await fetch(url, {
      method,
      headers: {
        'user-agent': 'secure-connectivity',
        'content-type': 'application/json',
        ...headers,
      },
      redirect: 'error',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    }).catch((error) => {
      throw new ForgeError(method, pathname, error.cause?.code ?? error.name);
    });
    const text = await response.text();
    if (!response.ok) throw new ForgeError(method, pathname, response.status);
    try {
      const value = text === '' ? undefined : JSON.parse(text);
      return { value, link: response.headers.get('link') };
    } catch {
      throw new ForgeError(method, pathname, 'no JSON');
    }
  };
  const pages = async function* (path) {
    let next = `${base}${path}${path.includes('?') ? '&' : '?'}per_page=100`;
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const { value, link } = await send('GET', next);
      yield* value;
      const [, following] = /<([^<>]+)>;\s*rel="next"/.exec(link ?? '') ?? [];
      if (following === undefined) return;
      next = following;
    }
    throw new ForgeError('GET', path, `more than ${MAX_PAGES} pages`);
  };
  return {
    call: async (method, path, body) => (await send(method, `${base}${path}`, body)).value,
    /** Elements of a list that comes in pages, in the forge's order; reading can stop early. */
    pages,
    /** All of them. */
    all: async (path) => {
      const found = [];
      for await (const one of pages(path)) found.push(one);
      return found;
    },
  };
}

/** @param {() => Promise<boolean>} ask @returns false where the forge refuses to tell or does not know */
export async function isTold(ask) {
  try {
    return (await ask()) === true;
  } catch (error) {
    if (error instanceof ForgeError && [401, 403, 404, 410].includes(error.status)) return false;
    throw error;
  }
}

/** @template {{ created_at: string }} T @param {T[]} all @returns {T[]} */
export function oldestFirst(all) {
  return all.sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
}
