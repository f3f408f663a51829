import type { Page, Route } from '@playwright/test';
import superjson from 'superjson';
import type { AlertBoard } from '../app/_trpc/outputs';
import { timeFactor } from '../testing/time-factor';
import { ownerState, readInstance } from './instance';
import { expect, test } from './test';
import { SOME_CONTEXT } from '../testing/some-context';

test.use({ storageState: ownerState });
test.describe.configure({ mode: 'serial' });

/** A separate project: the changes made here affect no other test. */
const slug = `live-${process.pid}`;
const base = `/p/${slug}`;

/** A person's call from another browser: the console's procedures with that person's session. */
async function call(page: Page, path: string, input: object): Promise<unknown> {
  const { webUrl } = readInstance();
  const response = await page.request.post(`${webUrl}/api/trpc/${path}`, {
    data: superjson.serialize(input),
    headers: { origin: webUrl },
  });
  const body = (await response.json()) as {
    result?: { data: Parameters<typeof superjson.deserialize>[0] };
  };
  expect(response.status(), `${path}: ${JSON.stringify(body)}`).toBe(200);
  return body.result === undefined ? null : superjson.deserialize(body.result.data);
}

async function read(page: Page, path: string, input: object): Promise<unknown> {
  const query = encodeURIComponent(JSON.stringify(superjson.serialize(input)));
  const response = await page.request.get(
    `${readInstance().webUrl}/api/trpc/${path}?input=${query}`,
  );
  const body = (await response.json()) as {
    result: { data: Parameters<typeof superjson.deserialize>[0] };
  };
  expect(response.status(), `${path}: ${JSON.stringify(body)}`).toBe(200);
  return superjson.deserialize(body.result.data);
}

let key = '';

async function send(turns: readonly object[], by = key): Promise<void> {
  const response = await fetch(`${readInstance().edgeUrl}/v1/turns`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
    body: JSON.stringify({ turns }),
  });
  expect(response.status, await response.text()).toBe(202);
}

const disk = [
  { id: 'tc1', name: 'disk', arguments: {}, result: { rows: [{ host: 'web-1', disk_pct: 91.4 }] } },
];
const turns = [
  {
    id: 'l-1',
    model: 'openai/gpt-4o',
    tools: disk,
    output: 'web-1 is at 91.4%, up from 88% yesterday.',
  },
  { id: 'l-2', model: 'openai/gpt-4o', tools: disk, output: 'web-1 is at 91.4%.' },
  {
    id: 'l-3',
    model: 'openai/gpt-4o',
    tools: disk,
    output: 'web-1 is at 91.4%, with 12 of 17 rows.',
    reprompt_used: true,
  },
  {
    id: 'l-4',
    model: 'anthropic/claude-sonnet',
    tools: disk,
    output: 'web-1 is at 91.4%.',
    reprompt_used: true,
  },
  {
    id: 'l-5',
    model: 'anthropic/claude-sonnet',
    context: SOME_CONTEXT,
    output: 'You are welcome.',
  },
  { id: 'l-6', tools: disk, output: 'web-1 is at 95%.' },
  {
    id: 'l-7',
    model: 'openai/gpt-4o-mini',
    tools: disk,
    output: 'web-1 is at 91.4%.',
    envelope: {
      answer: 'web-1 is at 91.4%.',
      facts: [{ value: '91.4', source_id: 'tc1', path: 'rows[0].disk_pct' }],
    },
  },
];

/** Opens a page and waits until its live stream is connected. */
async function openLive(page: Page, path: string): Promise<void> {
  await Promise.all([
    page.waitForResponse((response) => response.url().includes('verdicts.live')),
    page.goto(path),
  ]);
}

interface Change {
  readonly what: string;
  /** The page of the other person, and its content. */
  readonly path: string;
  readonly before?: (page: Page) => Promise<void>;
  readonly act: (page: Page) => Promise<unknown>;
  readonly seen: (page: Page) => Promise<void>;
}

const within = { timeout: timeFactor * 2_000 };
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

const changes: readonly Change[] = [
  {
    what: 'an override',
    path: `${base}/verdicts?turn=l-1`,
    act: async (page) => {
      const { items } = (await read(page, 'verdicts.list', { project: slug, turn: 'l-1' })) as {
        items: { id: string }[];
      };
      await call(page, 'labels.override', {
        project: slug,
        id: items[0]?.id,
        verdict: 'sourced',
        reason: 'It is in the ticket.',
      });
    },
    seen: (page) => expect(row(page, '91.4%')).toContainText('the verifier decided', within),
  },
  {
    what: 'a threshold that is moved',
    path: `${base}/verifiers/task`,
    act: (page) =>
      call(page, 'thresholds.put', {
        project: slug,
        verifier: 'task',
        key: 'pass_threshold',
        body: { value: 0.77, reason: 'meanwhile' },
      }),
    seen: (page) =>
      expect(page.getByRole('listitem', { name: 'pass_threshold' })).toContainText('0.77', within),
  },
  {
    what: 'a threshold, where the server draws it',
    path: `${base}/verifiers`,
    act: (page) =>
      call(page, 'thresholds.put', {
        project: slug,
        verifier: 'task',
        key: 'pass_threshold',
        body: { value: 0.78, reason: 'meanwhile' },
      }),
    seen: (page) =>
      expect(
        page
          .getByRole('row')
          .filter({ has: page.getByRole('link', { name: 'Task', exact: true }) }),
      ).toContainText('0.78', within),
  },
  {
    what: 'a prompt that is promoted',
    path: `${base}/prompts`,
    act: async (page) => {
      const body = String(
        await read(page, 'prompts.body', { project: slug, slug: 'task-rubric', version: 0 }),
      );
      const saved = (await call(page, 'prompts.save', {
        project: slug,
        slug: 'task-rubric',
        body: `${body}\n`,
        message: 'a line',
      })) as {
        version: number;
      };
      await call(page, 'prompts.moveLabel', {
        project: slug,
        slug: 'task-rubric',
        label: 'production',
        version: saved.version,
        force: true,
        reason: 'a trial',
      });
    },
    seen: (page) => expect(page.getByText('version 1', { exact: true })).toBeVisible(within),
  },
  {
    what: 'a rule that is switched off',
    path: `${base}/rules`,
    act: (page) =>
      call(page, 'rules.setEnabled', { project: slug, name: 'integrity', enabled: false }),
    seen: (page) => expect(page.getByRole('switch').first()).not.toBeChecked(within),
  },
  {
    what: 'a key that is created',
    path: `${base}/settings/keys`,
    act: (page) =>
      call(page, 'keys.create', { project: slug, name: 'made elsewhere', scopes: ['read'] }),
    seen: (page) => expect(page.getByText('made elsewhere')).toBeVisible(within),
  },
  {
    what: 'an alert rule that is changed',
    path: `${base}/settings/alerts`,
    act: (page) =>
      call(page, 'alerts.putRule', {
        project: slug,
        kind: 'work_set_aside',
        verifier: null,
        rule: {
          enabled: false,
          limit: 5,
          window_minutes: 60,
          no_data: 'keep',
          renotify_minutes: null,
        },
      }),
    seen: (page) =>
      expect(
        page.getByRole('table', { name: 'Alert rules' }).getByText(/owner@assay\.test/),
      ).toBeVisible(within),
  },
  {
    what: 'a member who is invited, under the hands of somebody who writes',
    path: `${base}/settings/members`,
    before: async (page) => {
      await page.getByRole('button', { name: 'Invite' }).first().click();
      await page.getByRole('dialog').getByLabel('Email').fill('half a name');
    },
    act: (page) =>
      call(page, 'members.invite', { project: slug, email: 'new@assay.test', role: 'viewer' }),
    seen: async (page) => {
      await expect(page.getByText('new@assay.test')).toBeVisible(within);
      await expect(page.getByRole('dialog').getByLabel('Email')).toHaveValue('half a name');
    },
  },
  {
    what: 'a ruling in the review queue',
    path: `${base}/review`,
    before: async (page) => {
      // The override above may settle another item in the meantime.
      doneBefore = await doneByAll(page);
    },
    act: async (page) => {
      // While the other page reserves its items, none may be free.
      const next = async (): Promise<string | undefined> => {
        const items = await call(page, 'review.next', { project: slug, limit: 1 });
        return (items as { id: string }[])[0]?.id;
      };
      await expect.poll(next, { timeout: 20_000 }).toBeDefined();
      await call(page, 'review.rule', {
        project: slug,
        item: await next(),
        answer: 'fail',
        reason: 'Not in the sources.',
      });
    },
    seen: (page) => expect.poll(() => doneByAll(page), within).toBeGreaterThan(doneBefore),
  },
];

let doneBefore = 0;

/** The number of today's rulings on the review page. */
async function doneByAll(page: Page): Promise<number> {
  const shown = page.getByText(/\d+ done by all/);
  return (await shown.count()) === 0
    ? 0
    : Number(/(\d+) done by all/.exec((await shown.textContent()) ?? '')?.[1]);
}

test('11.4 one person’s change shows in the other’s browser within 2 s, without a reload', async ({
  page,
  browser,
}) => {
  test.setTimeout(240_000);
  await call(page, 'projects.create', { slug, name: 'Two at once' });
  ({ key } = (await call(page, 'keys.create', {
    project: slug,
    name: 'e2e',
    scopes: ['ingest', 'read'],
  })) as { key: string });
  await call(page, 'review.putSettings', {
    project: slug,
    verifier: null,
    settings: { auditRate: 1, uncertainBand: 0.05, raters: 1, blind: false },
  });
  const context = await browser.newContext({
    storageState: ownerState,
    baseURL: readInstance().webUrl,
  });
  const other = await context.newPage();
  await openLive(other, `${base}/verdicts`);
  await send(turns);
  await expect(other.getByText(`${turns.length} shown, no more`)).toBeVisible();
  await expect(
    other.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: /^Review.*open/ }),
  ).toBeVisible();
  for (const { what, path, before, act, seen } of changes) {
    await test.step(what, async () => {
      await openLive(other, path);
      await before?.(other);
      await act(page);
      await seen(other);
    });
  }
  await context.close();
});

test('11.4 eight tabs of one browser share one stream, and all follow', async ({
  page,
  context,
}) => {
  const streams: string[] = [];
  context.on('request', (request) => {
    if (request.url().includes('verdicts.live')) streams.push(request.url());
  });
  const path = `${base}/settings/keys`;
  await openLive(page, path);
  const tabs = [page];
  for (let n = 1; n < 8; n++) {
    const tab = await context.newPage();
    await tab.goto(path);
    tabs.push(tab);
  }
  await call(page, 'keys.create', { project: slug, name: 'for eight tabs', scopes: ['read'] });
  for (const tab of tabs) await expect(tab.getByText('for eight tabs')).toBeVisible(within);
  expect(streams).toHaveLength(1);
  await test.step('the tab that held the stream closes: another takes over', async () => {
    const [, second, ...rest] = tabs;
    if (second === undefined) throw new Error('no second tab');
    await Promise.all([
      context.waitForEvent('request', (request) => request.url().includes('verdicts.live')),
      page.close(),
    ]);
    await call(second, 'keys.create', {
      project: slug,
      name: 'after the leader',
      scopes: ['read'],
    });
    for (const tab of [second, ...rest])
      await expect(tab.getByText('after the leader')).toBeVisible(within);
  });
});

/** Measures layout shift from now on, by the browser's own API. */
async function countShift(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counted = { shift: 0 };
    Object.assign(globalThis, { counted });
    new PerformanceObserver((entries) => {
      for (const entry of entries.getEntries())
        counted.shift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift' });
  });
  return () =>
    page.evaluate(
      async () =>
        new Promise<number>((resolve) => {
          const report = () =>
            resolve((globalThis as unknown as { counted: { shift: number } }).counted.shift);
          // The last paint is counted a frame later.
          requestAnimationFrame(() => requestAnimationFrame(report));
        }),
    );
}

test('a list that is reloaded while its next page is loading still reaches its end', async ({
  page,
}) => {
  const own = `${slug}-long`;
  await call(page, 'projects.create', { slug: own, name: 'A long list' });
  const { key: ownKey } = (await call(page, 'keys.create', {
    project: own,
    name: 'e2e',
    scopes: ['ingest'],
  })) as { key: string };
  const turn = (id: string) => ({ id, tools: disk, output: 'web-1 is at 91.4%.' });
  await send(
    Array.from({ length: 120 }, (_, n) => turn(`many-${n}`)),
    ownKey,
  );
  await openLive(page, `/p/${own}/received`);
  await expect(page.getByText('50 shown', { exact: true })).toBeVisible();
  const isNext = (url: string): boolean =>
    url.includes('turns.received') && url.includes('cursor%22%3A%22');
  await page.route(
    ({ href }) => isNext(href),
    async (route) => {
      await send([turn('meanwhile')], ownKey);
      // The notification arrives before the page is loaded.
      const again = page.waitForResponse(
        (response) => response.url().includes('turns.received') && !isNext(response.url()),
        {
          timeout: 10_000,
        },
      );
      await again.catch(() => null);
      await route.continue();
    },
    { times: 1 },
  );
  await page.keyboard.press('End');
  await expect(page.getByText('121 shown, no more')).toBeVisible();
});

test('11.6 incoming rows slide: no layout shift, by the browser’s own count', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await openLive(page, `${base}/received`);
  const list = page.getByRole('table', { name: 'Turns received' });
  await expect(list.getByRole('link').first()).toBeVisible();
  const shift = await countShift(page);
  const before = await list.getByRole('link').count();
  await send(
    [1, 2, 3].map((n) => ({
      id: `slides-${n}`,
      model: 'openai/gpt-4o',
      tools: disk,
      output: `web-1 is at 91.4%, ${n} of 3.`,
    })),
  );
  await expect(list.getByRole('link')).toHaveCount(before + 3);
  expect(await shift()).toBeLessThan(0.02);
});

type Answer = { result: { data: Parameters<typeof superjson.deserialize>[0] } };

/** Removes all checks from the board in a batched answer. */
async function answerUnchecked(route: Route): Promise<void> {
  const response = await route.fetch();
  const names = new URL(route.request().url()).pathname.split('/').at(-1)?.split(',') ?? [];
  const answers = (await response.json()) as Answer[];
  const json = answers.map((answer, index) => {
    if (names[index] !== 'alerts.board') return answer;
    const board: AlertBoard = superjson.deserialize(answer.result.data);
    const unchecked: AlertBoard = { ...board, alerts: [], checkedAt: null };
    return { result: { data: superjson.serialize(unchecked) } };
  });
  await route.fulfill({ response, json });
}

test('11.6 panels below a growing one slide', async ({ page, browser }) => {
  const fresh = `${slug}-quiet`;
  await call(page, 'projects.create', { slug: fresh, name: 'Not looked at yet' });
  const context = await browser.newContext({
    storageState: ownerState,
    baseURL: readInstance().webUrl,
  });
  const other = await context.newPage();
  await other.emulateMedia({ reducedMotion: 'no-preference' });
  await openLive(other, `/p/${fresh}/alerts`);
  // The worker checks a new project at any moment, so this page first gets an unchecked board.
  let isUnchecked = true;
  await other.route(/\/api\/trpc\/[^?]*alerts\.board/, (route) =>
    isUnchecked ? answerUnchecked(route) : route.continue(),
  );
  await call(page, 'alerts.look', { project: fresh });
  await expect(other.getByText('Not checked yet.')).toBeVisible();
  const shift = await countShift(other);
  isUnchecked = false;
  await call(page, 'alerts.look', { project: fresh });
  await expect(other.getByRole('heading', { name: 'Checked, not alerting' })).toBeVisible();
  expect(await shift()).toBeLessThan(0.02);
  await other.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
});

/** The number of shown entries, from the page's text without tags. */
function statedTotal(path: string, name: string, text: string): number | null {
  const number = (found: RegExpExecArray | null): number | null =>
    found?.[1] === undefined ? null : Number(found[1].replaceAll(',', ''));
  if (path.includes('/settings/work') && name.endsWith(', quarantined'))
    return (
      number(/([\d,]+) now/.exec(text)) ?? (text.includes('Nothing is quarantined') ? 0 : null)
    );
  if (path.includes('/settings/work'))
    return (
      number(/([\d,]+) waiting to be verified/.exec(text)) ??
      (text.includes('Nothing is waiting') ? 0 : null)
    );
  if (path.includes('/review')) {
    const filtered = number(/([\d,]+) open here/.exec(text));
    if (filtered !== null) return filtered;
    const [, ruled, all] = /([\d,]+) of ([\d,]+) today/.exec(text) ?? [];
    return ruled === undefined || all === undefined
      ? text.includes('none open')
        ? 0
        : null
      : Number(all) - Number(ruled);
  }
  return (
    number(/([\d,]+) shown, no more/.exec(text)) ??
    (/No [a-z ]+ passes these filters|No row is counted here|Nothing yet/.test(text) ? 0 : null)
  );
}

/** Figures in the rows of a list, or only the unsourced ones. */
function figuresIn(text: string, isUnsourced: boolean): number {
  const sum = (pattern: RegExp): number =>
    [...text.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0);
  return isUnsourced
    ? sum(/(\d+) of \d+ unsourced/g)
    : sum(/\d+ of (\d+) unsourced/g) + sum(/(\d+) sourced/g);
}

test('11 every number on the overview leads to exactly the rows that it counts', async ({
  page,
}) => {
  await openLive(page, `${base}?days=7`);
  await expect(page.getByRole('list', { name: 'Verifiers' })).toBeVisible();
  const links = await page.locator('a[data-counts]').evaluateAll((all) =>
    all.map((link) => ({
      href: link.getAttribute('href') ?? '',
      name: link.getAttribute('aria-label') ?? link.textContent ?? '',
      count: Number(link.getAttribute('data-counts')),
      unit: link.getAttribute('data-unit') ?? 'rows',
    })),
  );
  expect(links.length).toBeGreaterThan(20);
  for (const { href, name, count, unit } of links) {
    const html = await (await page.request.get(`${readInstance().webUrl}${href}`)).text();
    const text = html
      .replace(/<!--.*?-->/gs, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
    const found =
      unit === 'figures'
        ? figuresIn(text, href.includes('figures=unsourced'))
        : statedTotal(href, name, text);
    expect.soft(found, `${name} → ${href}`).toBe(count);
  }
});
