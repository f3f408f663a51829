import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The API of GitHub and GitLab for the comments of one pull or merge request. */

export interface StoredComment {
  readonly id: number;
  readonly body: string;
  readonly user: { readonly type: string };
  readonly author: { readonly id: number };
  readonly author_association: string;
}

export interface CommentHost {
  readonly url: string;
  /** Methods and paths without their queries, of all requests. */
  readonly calls: string[];
  readonly comments: StoredComment[];
  /** The status of the next writes; null if they are stored. */
  refuseWith: number | null;
  close(): Promise<void>;
}

/** The id of the token's own account on GitLab. */
export const ownAuthor = 7;

export async function startCommentHost(token: string): Promise<CommentHost> {
  const calls: string[] = [];
  const comments: StoredComment[] = [];
  const state = { refuseWith: null as number | null };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      calls.push(`${request.method} ${pathname}`);
      const reply = (status: number, body: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      };
      if (request.headers.authorization !== `Bearer ${token}`) return reply(401, {});
      if (pathname === '/user') return reply(200, { id: ownAuthor });
      if (request.method === 'GET') {
        const size = Number(searchParams.get('per_page'));
        const first = (Number(searchParams.get('page')) - 1) * size;
        return reply(200, comments.slice(first, first + size));
      }
      if (state.refuseWith !== null) return reply(state.refuseWith, {});
      const { body } = JSON.parse(Buffer.concat(chunks).toString()) as { body: string };
      const at = comments.findIndex(({ id }) => String(id) === pathname.split('/').at(-1));
      const stored = at === -1 ? commentOf(comments.length + 1, body) : comments[at];
      if (stored === undefined) return reply(404, {});
      comments[at === -1 ? comments.length : at] = { ...stored, body };
      return reply(at === -1 ? 201 : 200, stored);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    comments,
    get refuseWith() {
      return state.refuseWith;
    },
    set refuseWith(status) {
      state.refuseWith = status;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Written by the build itself, unless `more` names another author. */
export const commentOf = (
  id: number,
  body: string,
  more: Partial<StoredComment> = {},
): StoredComment => ({
  id,
  body,
  user: { type: 'Bot' },
  author: { id: ownAuthor },
  author_association: 'NONE',
  ...more,
});
