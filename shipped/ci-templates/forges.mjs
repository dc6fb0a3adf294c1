/** The forges on which a change is reviewed: the parts of their interfaces that a gate needs. */
const MAX_PAGES = 100;

/**
 * @typedef {object} Comment
 * @property {number} id
 * @property {string} body
 * @property {boolean} isOwn true if this job's account wrote it
 *
 * @typedef {object} Forge
 * @property {() => Promise<Comment[]>} comments the oldest first
 * @property {(body: string) => Promise<void>} create
 * @property {(id: number, body: string) => Promise<void>} update
 * @property {(name: string, isWanted: boolean) => Promise<void>} label
 */

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Forge | undefined} undefined outside a change request
 */
export function selectForge(env) {
  if (env.PULL_REQUEST && env.GITHUB_REPOSITORY) return gitHub(env);
  if (env.CI_MERGE_REQUEST_IID && env.CI_API_V4_URL) return gitLab(env);
  return undefined;
}

/** A forge that did not answer with success; the message has no text of its answer. */
export class ForgeError extends Error {
  /** @param {string} method @param {string} path @param {number | string} status */
  constructor(method, path, status) {
    super(`${method} ${path}: ${status}`);
    this.status = status;
  }
}

/** @param {NodeJS.ProcessEnv} env @returns {Forge} */
function gitHub(env) {
  const self = env.COMMENT_AUTHOR || 'github-actions[bot]';
  const issue = `/issues/${env.PULL_REQUEST}`;
  const api = env.GITHUB_API_URL || 'https://api.github.com';
  const { call, all } = forgeClient(`${api}/repos/${env.GITHUB_REPOSITORY}`, {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    authorization: `Bearer ${env.GITHUB_TOKEN ?? ''}`,
  });
  return {
    comments: async () =>
      oldestFirst(await all(`${issue}/comments`)).map(({ id, body, user }) => {
        return { id, body: body ?? '', isOwn: user?.login === self };
      }),
    create: async (body) => void (await call('POST', `${issue}/comments`, { body })),
    update: async (id, body) => void (await call('PATCH', `/issues/comments/${id}`, { body })),
    label: async (name, isWanted) => {
      const has = (await all(`${issue}/labels`)).some((one) => one.name === name);
      if (has === isWanted) return;
      if (isWanted) await call('POST', `${issue}/labels`, { labels: [name] });
      else await call('DELETE', `${issue}/labels/${encodeURIComponent(name)}`);
    },
  };
}

/** @param {NodeJS.ProcessEnv} env @returns {Forge} */
function gitLab(env) {
  const project = `/projects/${encodeURIComponent(env.CI_PROJECT_ID ?? '')}`;
  const request = `${project}/merge_requests/${env.CI_MERGE_REQUEST_IID}`;
  const { call, all } = forgeClient(env.CI_API_V4_URL ?? '', {
    'private-token': env.CONNECTIVITY_REVIEW_TOKEN ?? '',
  });
  return {
    comments: async () => {
      const { id: self } = await call('GET', '/user');
      const notes = oldestFirst(await all(`${request}/notes`));
      return notes
        .filter(({ system }) => system !== true)
        .map(({ id, body, author }) => ({ id, body: body ?? '', isOwn: author?.id === self }));
    },
    create: async (body) => void (await call('POST', `${request}/notes`, { body })),
    update: async (id, body) => void (await call('PUT', `${request}/notes/${id}`, { body })),
    label: async (name, isWanted) =>
      void (await call('PUT', request, { [isWanted ? 'add_labels' : 'remove_labels']: name })),
  };
}

/** @param {string} base @param {Record<string, string>} headers */
function forgeClient(base, headers) {
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
  return {
    call: async (method, path, body) => (await send(method, `${base}${path}`, body)).value,
    /** All elements of a list that comes in pages. */
    all: async (path) => {
      const found = [];
      let next = `${base}${path}?per_page=100`;
      for (let page = 1; page <= MAX_PAGES; page += 1) {
        const { value, link } = await send('GET', next);
        found.push(...value);
        const [, following] = /<([^<>]+)>;\s*rel="next"/.exec(link ?? '') ?? [];
        if (following === undefined) return found;
        next = following;
      }
      throw new ForgeError('GET', path, `more than ${MAX_PAGES} pages`);
    },
  };
}

/** @template {{ created_at: string }} T @param {T[]} all @returns {T[]} */
function oldestFirst(all) {
  return all.sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
}
