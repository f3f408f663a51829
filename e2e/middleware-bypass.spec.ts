import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type OutgoingHttpHeaders, request as send } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { owner, ownerState, project, readInstance, readKey } from './instance';
import { expect, test } from './test';
import { sendTurns } from './turns';
import { SOME_CONTEXT } from '../testing/some-context';

/**
 * S-6: proxy.ts makes no access decisions, so bypassing it has no effect: with any address or
 * header, no response to an unauthenticated client contains data of the project.
 */

const canary = 'canary-6f1d0c9e';
const turn = {
  id: 'e2e-canary',
  session_id: `${canary}-session`,
  model: `${canary}/model`,
  context: SOME_CONTEXT,
  output: `${canary} It is 42 %.`,
};
const secrets = [canary, project.name, owner.email, owner.name];

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Plain node:http, which sends a path as written: `//` and `%2f` survive. */
function get(path: string, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  const { hostname, port } = new URL(readInstance().webUrl);
  return new Promise((resolve, reject) => {
    const call = send({ hostname, port, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      // An endless answer (a live stream) is read until the timeout of the call.
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      const done = () =>
        resolve({
          status: response.statusCode ?? 0,
          text: `${JSON.stringify(response.headers)}\n${Buffer.concat(chunks).toString()}`,
        });
      response.on('end', done);
      response.on('close', done);
    });
    call.setTimeout(10_000, () => call.destroy(new Error(`no end of ${path}`)));
    call.on('error', reject);
    call.end();
  });
}

const rsc = { rsc: '1', 'next-router-state-tree': '%5B%22%22%2C%7B%7D%5D', 'next-url': '/' };

/** Requests that have bypassed Next's middleware in the past, or might. */
const headerForms: Readonly<Record<string, OutgoingHttpHeaders>> = {
  'x-middleware-subrequest: middleware': { 'x-middleware-subrequest': 'middleware' },
  'x-middleware-subrequest: five times middleware': {
    'x-middleware-subrequest': Array<string>(5).fill('middleware').join(':'),
  },
  'x-middleware-subrequest: five times src/middleware': {
    'x-middleware-subrequest': Array<string>(5).fill('src/middleware').join(':'),
  },
  'x-middleware-subrequest: pages/_middleware': { 'x-middleware-subrequest': 'pages/_middleware' },
  'x-middleware-subrequest: five times proxy': {
    'x-middleware-subrequest': Array<string>(5).fill('proxy').join(':'),
  },
  'the RSC header': rsc,
  'a prefetch': { ...rsc, 'next-router-prefetch': '1' },
  'a segment prefetch': {
    ...rsc,
    'next-router-prefetch': '1',
    'next-router-segment-prefetch': '/_tree',
  },
  'a segment prefetch of a page': {
    ...rsc,
    'next-router-prefetch': '1',
    'next-router-segment-prefetch': '/p/$d$project/__PAGE__',
  },
  'invented inner headers': {
    'x-middleware-next': '1',
    'x-middleware-rewrite': `/p/${project.slug}`,
    'x-invoke-path': `/p/${project.slug}`,
    'x-invoke-status': '200',
    'x-matched-path': `/p/${project.slug}`,
    'x-nextjs-data': '1',
    'x-original-url': `/p/${project.slug}`,
    'x-rewrite-url': `/p/${project.slug}`,
    'x-assay-path': '/',
    'x-forwarded-host': 'evil.test',
  },
  'a made-up session': {
    cookie:
      'assay.session_token=made.up; __Secure-assay.session_token=made.up; better-auth.session_token=made.up',
  },
};

const pathForms: Readonly<Record<string, (path: string) => string>> = {
  '.rsc': (path) => `${path}.rsc`,
  '.segments': (path) => `${path}.segments/_tree.segment.rsc`,
  '_rsc query': (path) => `${path}?_rsc=1`,
  'nxtP query': (path) => `${path}?nxtPproject=${project.slug}&nxtPid=x&nxtIlocale=en`,
  'a locale': (path) => `/en${path}`,
  '_next/data': (path) => `/_next/data/build${path}.json`,
  'two slashes': (path) => `/${path}`,
  'two slashes inside': (path) => path.replaceAll('/', '//'),
  'an encoded slash': (path) => `/${path.slice(1).replaceAll('/', '%2f')}`,
  'a backslash': (path) => `/${path.slice(1).replaceAll('/', '%5c')}`,
  dots: (path) => `/_next/static/..${path}`,
  'encoded dots': (path) => `/_next/static/%2e%2e/%2e%2e${path}`,
  'a trailing slash': (path) => `${path}/`,
  'a semicolon': (path) => `${path};x=1`,
  capitals: (path) => path.toUpperCase(),
};

let paths: string[] = [];

test.beforeAll(async () => {
  await sendTurns([turn]);
  const { edgeUrl } = readInstance();
  let id = '';
  await expect
    .poll(async () => {
      const answer = await fetch(`${edgeUrl}/v1/verifications?turn_id=${turn.id}`, {
        headers: { authorization: `Bearer ${readKey()}` },
      });
      const { data } = (await answer.json()) as { data: { id: string }[] };
      id = data[0]?.id ?? '';
      return id;
    })
    .not.toBe('');
  const base = `/p/${project.slug}`;
  const settings = ['', '/keys', '/members', '/integrity', '/work', '/audit'].map(
    (page) => `${base}/settings${page}`,
  );
  const input = (value: object) =>
    encodeURIComponent(JSON.stringify({ json: { project: project.slug, ...value } }));
  const calls = [
    ['account.me', {}],
    ['projects.get', {}],
    ['keys.list', {}],
    ['members.list', {}],
    ['audit.list', {}],
    ['verdicts.overview', { days: 7 }],
    ['verdicts.list', {}],
    ['verdicts.get', { id }],
    ['verdicts.live', {}],
    ['turns.original', { id: turn.id }],
    ['work.waiting', {}],
  ] as const;
  paths = [
    '/',
    '/projects/new',
    base,
    `${base}/verdicts`,
    `${base}/verdicts?text=${canary.slice(0, 6)}`,
    `${base}/verdicts/${id}`,
    ...settings,
    ...calls.map(([name, value]) => `/api/trpc/${name}?input=${input(value)}`),
    `/api/v1/verifications/${id}`,
    '/api/v1/verifications',
    '/api/v1/settings',
  ];
});

function expectNothing(path: string, { status, text }: Answer): void {
  for (const secret of secrets)
    expect(text.includes(secret), `${path} (${status}) shows "${secret}"`).toBe(false);
  expect(status, path).not.toBe(500);
}

test('S-6: with a session the same addresses do show data, so that the tests below can fail', async () => {
  const { cookies } = JSON.parse(readFileSync(ownerState, 'utf8')) as {
    cookies: { name: string; value: string }[];
  };
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  for (const path of paths.filter((each) => each.startsWith(`/p/${project.slug}`))) {
    expect((await get(path, { cookie })).text, path).toContain(project.name);
  }
  const shown = await Promise.all(
    [
      `/p/${project.slug}/verdicts`,
      paths.find((path) => path.includes('/verdicts/ver_')) ?? '',
    ].map((path) => get(path, { cookie })),
  );
  for (const { text } of shown) expect(text).toContain(canary);
});

test('S-6: without a session no page and no call shows data', async () => {
  for (const path of paths) {
    const answer = await get(path);
    expectNothing(path, answer);
    // A stream starts before it is refused, so it contains the refusal.
    if (path.startsWith('/api/trpc/verdicts.live')) expect(answer.text).toContain('UNAUTHORIZED');
    else if (path.startsWith('/api/')) expect(answer.status, path).toBe(401);
  }
});

for (const [name, headers] of Object.entries(headerForms)) {
  test(`S-6: no data by ${name}`, async () => {
    for (const path of paths) expectNothing(path, await get(path, headers));
  });
}

for (const [name, written] of Object.entries(pathForms)) {
  test(`S-6: no data by an address with ${name}`, async () => {
    for (const path of paths) {
      const [before = '', query] = path.split('?');
      const form = written(before);
      const whole = query === undefined ? form : `${form}${form.includes('?') ? '&' : '?'}${query}`;
      expectNothing(whole, await get(whole));
      expectNothing(whole, await get(whole, rsc));
    }
  });
}

test('S-7: requests for server actions, of which there are none, are refused without a stack, and harm nothing', async () => {
  const { webUrl } = readInstance();
  const bodies = ['', 'x', '[]', '["$F1"]', '["$1:__proto__:then"]', '["$B0"]', '['.repeat(50_000)];
  const part = (name: string, body: string): string =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${body}\r\n--x--\r\n`;
  const forms: readonly (readonly [type: string, write: (body: string) => string])[] = [
    ['text/plain;charset=UTF-8', (body) => body],
    ['multipart/form-data; boundary=x', (body) => part('0', body)],
    ['multipart/form-data; boundary=x', (body) => part('$ACTION_REF_1', body)],
    ['application/x-www-form-urlencoded', (body) => `0=${encodeURIComponent(body)}`],
  ];
  for (const path of ['/sign-in', `/p/${project.slug}`, '/nowhere']) {
    for (const body of bodies) {
      for (const [type, write] of forms) {
        const answer = await fetch(`${webUrl}${path}`, {
          method: 'POST',
          headers: {
            'content-type': type,
            'next-action': '40'.repeat(21),
            accept: 'text/x-component',
          },
          body: write(body),
        });
        const where = `${path} ${type} ${body.slice(0, 20)}`;
        expect(answer.status, where).toBeGreaterThanOrEqual(400);
        expect(answer.status, where).toBeLessThan(500);
        expect(await answer.text(), where).not.toMatch(/\bat .*:\d+:\d+|node_modules/);
      }
    }
  }
  expect((await get('/sign-in')).status).toBe(200);
});

test('S-8: an upgrade to another host in the first line connects to nothing', async () => {
  let hits = 0;
  const canary = createServer((socket) => {
    hits++;
    socket.destroy();
  });
  canary.listen(0, '127.0.0.1');
  await once(canary, 'listening');
  const host = `127.0.0.1:${(canary.address() as AddressInfo).port}`;
  const { webUrl, edgeUrl } = readInstance();
  for (const url of [webUrl, edgeUrl]) {
    const { hostname, port } = new URL(url);
    const open = ['GET', 'CONNECT'].flatMap((method) =>
      [`http://${host}/`, `ws://${host}/x`, `//${host}/`, host, '/sign-in'].map((path) => {
        const call = send({
          hostname,
          port,
          method,
          path,
          agent: false,
          headers: {
            host,
            connection: 'Upgrade',
            upgrade: 'websocket',
            'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
            'sec-websocket-version': '13',
          },
        });
        // A server may close the connection, or leave the request unanswered.
        call.on('error', () => undefined);
        call.on('response', (response) => response.resume());
        call.end();
        return call;
      }),
    );
    // The server answers in order of arrival: by now it has read the others.
    await fetch(`${url}/healthz`);
    await fetch(`${webUrl}/sign-in`);
    for (const call of open) call.destroy();
  }
  expect(hits).toBe(0);
  canary.close();
});

test('S-105: the files that browsers load contain no code of the server, no names of its secrets, no source maps', () => {
  const folder = join(process.cwd(), '.next', 'static');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(files.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(20);
  expect(files.filter((path) => path.endsWith('.map'))).toEqual([]);
  const ofServer =
    /drizzle|pg_notify|set_config|for update skip locked|postgres:\/\/|DATABASE_URL|ASSAY_SECRET|createHmac|readFileSync|sourceMappingURL=|BEGIN (?:[A-Z]+ )?PRIVATE KEY/;
  for (const path of files.filter((each) => /\.(?:js|css|json)$/.test(each)))
    expect(ofServer.exec(readFileSync(join(folder, path), 'utf8'))?.[0], path).toBeUndefined();
});
