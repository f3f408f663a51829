import { readFile } from 'node:fs/promises';
import { createHttpApi, type HttpApi } from '../client/http-api';
import { messageOf } from '../client/post';
import { parseObject } from '../client/read-reply';
import { CliFailure } from './failure';
import { isRecord } from './stored-verifiers';
import { plain, type Terminal } from './terminal';

/** Comments on the pull request (GitHub Actions) or merge request (GitLab CI) of a build. */

type Environment = Readonly<Record<string, string | undefined>>;

interface Host {
  readonly name: string;
  readonly urlVariable: 'GITHUB_API_URL' | 'CI_API_V4_URL';
  readonly tokenVariable: 'GITHUB_TOKEN' | 'GITLAB_TOKEN';
  /** The path of the request's comments; null if the build has none. */
  commentsOf(env: Environment): Promise<string | null>;
  /** Whether a comment can be the one of an earlier run; others may copy its text. */
  ownsOf(api: HttpApi): Promise<(comment: Readonly<Record<string, unknown>>) => boolean>;
  readonly updateMethod: 'PATCH' | 'PUT';
  readonly commentPath: (comments: string, id: string) => string;
}

const github: Host = {
  name: 'GitHub',
  urlVariable: 'GITHUB_API_URL',
  tokenVariable: 'GITHUB_TOKEN',
  async commentsOf({ GITHUB_EVENT_PATH: file, GITHUB_REPOSITORY: repository = '' }) {
    const event = file === undefined ? null : parseObject(await readFile(file, 'utf8'));
    const request = event?.pull_request;
    return isRecord(request) && typeof request.number === 'number'
      ? `/repos/${repository}/issues/${request.number}/comments`
      : null;
  },
  // The token of a build may edit any comment, and cannot request its own account.
  ownsOf: () =>
    Promise.resolve(
      ({ user, author_association: association }) =>
        (isRecord(user) && user.type === 'Bot') ||
        ['OWNER', 'MEMBER', 'COLLABORATOR'].includes(String(association)),
    ),
  updateMethod: 'PATCH',
  commentPath: (comments, id) => `${comments.replace(/\/\d+\/comments$/, '/comments')}/${id}`,
};

const gitlab: Host = {
  name: 'GitLab',
  urlVariable: 'CI_API_V4_URL',
  tokenVariable: 'GITLAB_TOKEN',
  commentsOf: ({ CI_PROJECT_ID: project = '', CI_MERGE_REQUEST_IID: request }) =>
    Promise.resolve(
      request ? `/projects/${encodeURIComponent(project)}/merge_requests/${request}/notes` : null,
    ),
  async ownsOf(api) {
    const { id } = await api.call('/user');
    return ({ author }) => isRecord(author) && author.id === id;
  },
  updateMethod: 'PUT',
  commentPath: (comments, id) => `${comments}/${id}`,
};

const commentsPerPage = 100;
const retryForMs = 20_000;

/**
 * Writes the comment, in place of the one that begins with the same line. A comment that cannot be
 * written is reported and does not change the result of the build.
 *
 * @param markdown begins with a line that identifies the comment
 * @throws CliFailure outside of GitHub Actions and GitLab CI
 */
export async function writeComment(
  env: Environment,
  markdown: string,
  terminal: Terminal,
): Promise<void> {
  const host = env.GITHUB_ACTIONS === 'true' ? github : env.GITLAB_CI === 'true' ? gitlab : null;
  if (host === null)
    throw new CliFailure('--comment works in GitHub Actions and GitLab CI; use --markdown FILE');
  try {
    const comments = await host.commentsOf(env);
    if (comments === null) return;
    const token = env[host.tokenVariable] ?? '';
    if (token === '') throw new CliFailure(`set ${host.tokenVariable} to a token that may comment`);
    const url = (env[host.urlVariable] ?? '').replace(/\/+$/, '');
    const api = createHttpApi(
      { url, key: token, gzip: false, requestTimeoutMs: 30_000, fetch: globalThis.fetch },
      {
        urlSetting: host.urlVariable,
        retryForMs,
        fail: ({ message, status, path }) => new CliFailure(`${message} (${status} at ${path})`),
      },
    );
    await storeComment(api, host, { comments, markdown });
  } catch (error) {
    terminal.err(`The comment could not be written on ${host.name}: ${plain(messageOf(error))}`);
  }
}

async function storeComment(
  api: HttpApi,
  host: Host,
  { comments, markdown }: { readonly comments: string; readonly markdown: string },
): Promise<void> {
  const [marker = ''] = markdown.split('\n');
  const isOwnComment = await host.ownsOf(api);
  const body = JSON.stringify({ body: markdown });
  for (let page = 1; ; page++) {
    const { status, text } = await api.callRaw(comments, {
      query: { per_page: commentsPerPage, page },
    });
    if (status !== 200) throw new CliFailure(`the comments cannot be read (${status})`);
    const found: unknown = JSON.parse(text);
    const listed = Array.isArray(found) ? found.filter(isRecord) : [];
    const earlier = listed.find(
      (each) => String(each.body).startsWith(marker) && isOwnComment(each),
    );
    if (earlier !== undefined) {
      const path = host.commentPath(comments, String(earlier.id));
      await api.call(path, { method: host.updateMethod, body });
      return;
    }
    if (listed.length < commentsPerPage) break;
  }
  await api.call(comments, { method: 'POST', body });
}
