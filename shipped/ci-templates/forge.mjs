/**
 * @typedef {object} Comment
 * @property {number} id
 * @property {string} body
 * @property {string} updatedAt
 *
 * @typedef {object} Labelled The last time that a label was set.
 * @property {string} by an account's name
 * @property {boolean} isPerson
 * @property {string} at
 *
 * @typedef {object} Forge What a gate needs of the place where a change is reviewed.
 * @property {() => Promise<Comment[]>} comments those that this job's own account has written
 * @property {(body: string) => Promise<void>} create
 * @property {(id: number, body: string) => Promise<void>} update
 * @property {() => Promise<string>} author
 * @property {() => Promise<string[]>} labels
 * @property {(label: string) => Promise<Labelled | undefined>} labelled
 * @property {(label: string) => Promise<void>} removeLabel
 */

/** The forge would not let this job do something; `status` is the one of HTTP. */
export class ForgeError extends Error {
  /** @param {string} method @param {string} path @param {number} status */
  constructor(method, path, status) {
    super(`${method} ${path}: ${status}`);
    this.status = status;
  }
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {Forge | undefined} undefined outside a change request
 */
export function selectForge(env) {
  if (env.PULL_REQUEST && env.GITHUB_REPOSITORY) return gitHub(env);
  if (env.CI_MERGE_REQUEST_IID && env.CI_API_V4_URL) return gitLab(env);
  return undefined;
}

/** @param {NodeJS.ProcessEnv} env @returns {Forge} */
function gitHub(env) {
  const self = env.COMMENT_AUTHOR || 'github-actions[bot]';
  const issue = `/issues/${env.PULL_REQUEST}`;
  const { call, pages } = client(
    `${env.GITHUB_API_URL || 'https://api.github.com'}/repos/${env.GITHUB_REPOSITORY}`,
    {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      authorization: `Bearer ${env.GITHUB_TOKEN ?? ''}`,
    },
  );
  return {
    comments: async () =>
      (await pages(`${issue}/comments`))
        .filter(({ user }) => user?.login === self)
        .map(({ id, body, updated_at }) => ({ id, body, updatedAt: updated_at })),
    create: async (body) => void (await call('POST', `${issue}/comments`, { body })),
    update: async (id, body) => void (await call('PATCH', `/issues/comments/${id}`, { body })),
    author: async () => (await call('GET', `/pulls/${env.PULL_REQUEST}`)).user.login,
    labels: async () => (await pages(`${issue}/labels`)).map(({ name }) => name),
    labelled: async (label) => {
      const set = (await pages(`${issue}/events`))
        .filter((one) => one.event === 'labeled' && one.label?.name === label)
        .at(-1);
      // GitHub answers no actor for an account that is gone.
      if (!set?.actor) return undefined;
      return { by: set.actor.login, isPerson: set.actor.type === 'User', at: set.created_at };
    },
    removeLabel: async (label) =>
      void (await call('DELETE', `${issue}/labels/${encodeURIComponent(label)}`)),
  };
}

/** @param {NodeJS.ProcessEnv} env @returns {Forge} */
function gitLab(env) {
  const project = encodeURIComponent(env.CI_PROJECT_ID ?? '');
  const request = `/projects/${project}/merge_requests/${env.CI_MERGE_REQUEST_IID}`;
  const { call, pages } = client(env.CI_API_V4_URL ?? '', {
    'private-token': env.CONNECTIVITY_REVIEW_TOKEN ?? '',
  });
  return {
    comments: async () => {
      const { id: self } = await call('GET', '/user');
      return (await pages(`${request}/notes`))
        .filter(({ author }) => author?.id === self)
        .map(({ id, body, updated_at }) => ({ id, body, updatedAt: updated_at }));
    },
    create: async (body) => void (await call('POST', `${request}/notes`, { body })),
    update: async (id, body) => void (await call('PUT', `${request}/notes/${id}`, { body })),
    author: async () => (await call('GET', request)).author.username,
    labels: async () => (await call('GET', request)).labels,
    labelled: async (label) => {
      const set = (await pages(`${request}/resource_label_events`))
        .filter((one) => one.action === 'add' && one.label?.name === label)
        .at(-1);
      if (!set?.user) return undefined;
      const by = set.user.username;
      // GitLab names the accounts of its access tokens so, and says nothing else of their kind.
      return { by, isPerson: !/^(project|group)_\d+_bot/.test(by), at: set.created_at };
    },
    removeLabel: async (label) => void (await call('PUT', request, { remove_labels: label })),
  };
}

/** @param {string} base @param {Record<string, string>} headers */
function client(base, headers) {
  const send = async (method, url, body) => {
    const response = await fetch(url, {
      method,
      headers: {
        'user-agent': 'secure-connectivity',
        'content-type': 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (!response.ok) throw new ForgeError(method, new URL(url).pathname, response.status);
    return {
      value: text === '' ? undefined : JSON.parse(text),
      link: response.headers.get('link'),
    };
  };
  return {
    call: async (method, path, body) => (await send(method, `${base}${path}`, body)).value,
    /** Every element of a list that comes in pages, the oldest first. */
    pages: async (path) => {
      const all = [];
      for (let page = 1; ; page += 1) {
        const { value, link } = await send('GET', `${base}${path}?per_page=100&page=${page}`);
        all.push(...value);
        if (!/;\s*rel="next"/.test(link ?? '')) {
          return all.sort((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
        }
      }
    },
  };
}
