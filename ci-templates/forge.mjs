/**
 * @typedef {object} Comment
 * @property {number} id
 * @property {string} body
 *
 * @typedef {object} Forge What a gate needs of the place where a change is reviewed.
 * @property {() => Promise<Comment[]>} comments those that this job's own account has written
 * @property {(body: string) => Promise<void>} create
 * @property {(id: number, body: string) => Promise<void>} update
 * @property {() => Promise<string[]>} labels
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
export function forgeOf(env) {
  if (env.PULL_REQUEST && env.GITHUB_REPOSITORY) return gitHub(env);
  if (env.CI_MERGE_REQUEST_IID && env.CI_API_V4_URL) return gitLab(env);
  return undefined;
}

/** @param {NodeJS.ProcessEnv} env @returns {Forge} */
function gitHub(env) {
  const author = env.COMMENT_AUTHOR || 'github-actions[bot]';
  const issue = `/issues/${env.PULL_REQUEST}`;
  const call = caller(
    `${env.GITHUB_API_URL || 'https://api.github.com'}/repos/${env.GITHUB_REPOSITORY}`,
    {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${env.GITHUB_TOKEN ?? ''}`,
    },
  );
  return {
    comments: async () =>
      (await pages(call, `${issue}/comments`)).filter(({ user }) => user?.login === author),
    create: async (body) => void (await call('POST', `${issue}/comments`, { body })),
    update: async (id, body) => void (await call('PATCH', `/issues/comments/${id}`, { body })),
    labels: async () => (await pages(call, `${issue}/labels`)).map(({ name }) => name),
    removeLabel: async (label) =>
      void (await call('DELETE', `${issue}/labels/${encodeURIComponent(label)}`)),
  };
}

/** @param {NodeJS.ProcessEnv} env @returns {Forge} */
function gitLab(env) {
  const project = encodeURIComponent(env.CI_PROJECT_ID ?? '');
  const request = `/projects/${project}/merge_requests/${env.CI_MERGE_REQUEST_IID}`;
  const call = caller(env.CI_API_V4_URL ?? '', {
    'private-token': env.CONNECTIVITY_REVIEW_TOKEN ?? '',
  });
  return {
    comments: async () => {
      const { id: own } = await call('GET', '/user');
      return (await pages(call, `${request}/notes`)).filter(({ author }) => author?.id === own);
    },
    create: async (body) => void (await call('POST', `${request}/notes`, { body })),
    update: async (id, body) => void (await call('PUT', `${request}/notes/${id}`, { body })),
    labels: async () => (await call('GET', request)).labels,
    removeLabel: async (label) => void (await call('PUT', request, { remove_labels: label })),
  };
}

const PAGE = 100;

/** Every element of a list that comes in pages. */
async function pages(call, path) {
  const all = [];
  for (let page = 1; ; page += 1) {
    const some = await call('GET', `${path}?per_page=${PAGE}&page=${page}`);
    all.push(...some);
    if (some.length < PAGE) return all;
  }
}

/** @param {string} base @param {Record<string, string>} headers */
function caller(base, headers) {
  return async (method, path, body) => {
    const response = await fetch(`${base}${path}`, {
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
    if (!response.ok) throw new ForgeError(method, path, response.status);
    return text === '' ? undefined : JSON.parse(text);
  };
}
