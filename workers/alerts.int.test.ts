import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createTestProject, drainWork, insertTestAnchors } from '../testing/database';
import { createCaller } from '../testing/call';
import { createStack, type Stack } from '../testing/stack';
import { until } from '../testing/until';
import { createKey, type ProjectCtx } from '../server/access';
import {
  acknowledgeFinding,
  type AlertKind,
  countAlerting,
  listAlertEvents,
  listAlertRules,
  listAlerts,
  listFindings,
  checkAlertsNow,
  putAlertRule,
  resetAlertRule,
  watchAlerts,
} from '../server/alerts';
import { measureVerifiers } from '../server/measures';
import {
  createDestination,
  listDeliveries,
  sendTest,
  updateDestination,
} from '../server/deliveries';
import { CreateDestination, UpdateDestination } from '../server/deliveries/input';
import { runDeliveries } from './deliver';

interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface Notice {
  readonly type: string;
  readonly data: {
    readonly kind: string;
    readonly event: string;
    readonly count: number;
    readonly subject: string;
    readonly alerts: readonly { readonly series: string; readonly message: string }[];
  };
}

const received: ReceivedRequest[] = [];
const mails: { readonly to: readonly string[]; readonly raw: string }[] = [];
let stack: Stack;
let hooks: Server;
let smtp: SMTPServer;
let project: ProjectCtx;
let stopping = new AbortController();
let running: Promise<unknown>[] = [];
const port = (server: Server | SMTPServer['server']): number =>
  (server.address() as AddressInfo).port;

beforeAll(async () => {
  hooks = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      response.writeHead(request.url === '/away' ? 503 : 204).end();
    });
  });
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onRcptTo: ({ address }, _session, done) =>
      done(
        address.startsWith('nobody@')
          ? Object.assign(new Error('no such box'), { responseCode: 550 })
          : null,
      ),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  await Promise.all([
    new Promise<void>((resolve) => hooks.listen(0, '127.0.0.1', resolve)),
    new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve())),
  ]);
  stack = await createStack(inject('databaseUrl'), {
    ASSAY_OUTBOUND_ALLOW: `127.0.0.1:${port(hooks)}`,
    ASSAY_SMTP_URL: `smtp://127.0.0.1:${port(smtp.server)}`,
    ASSAY_MAIL_FROM: 'Assay <assay@example.org>',
  });
});

beforeEach(async () => {
  project = await createTestProject(stack.runtime);
  received.length = 0;
  mails.length = 0;
  await setHeartbeat('ready', 0);
});

afterEach(async () => {
  stopping.abort();
  await Promise.all(running);
  stopping = new AbortController();
  running = [];
});

afterAll(async () => {
  await stack.close();
  hooks.closeAllConnections();
  hooks.close();
  await new Promise<void>((resolve) => smtp.close(resolve));
});

/** Sets the last heartbeat of the only worker to `secondsAgo`. */
async function setHeartbeat(state: string, secondsAgo: number): Promise<void> {
  await stack.sql`delete from worker_boxes`;
  await stack.sql`
    insert into worker_boxes (worker, state, reason, fix, noted_at)
    values ('w', ${state}, 'There is no bwrap.', 'Install it.', now() - ${secondsAgo} * interval '1 second')`;
}

const at = (path: string): string => `http://127.0.0.1:${port(hooks)}${path}`;
const send = (): void =>
  void running.push(runDeliveries(stack.runtime.ctx, { owner: 'test', signal: stopping.signal }));

/** A webhook, a chat and two mailboxes that receive alerts. Returns the webhook's secret. */
async function destinations(): Promise<string> {
  const make = (input: Record<string, unknown>) =>
    createDestination(project, CreateDestination.parse(input));
  const { secret } = await make({
    kind: 'webhook',
    name: 'hook',
    url: at('/hook'),
    sends: ['alerts'],
  });
  await make({ kind: 'slack', name: 'chat', url: at('/services/T0/B0/secret') });
  await make({ kind: 'email', name: 'mail', url: 'a@example.org, b@example.org' });
  return secret ?? '';
}

const notices = (type: string): readonly Notice[] =>
  received
    .filter(({ path }) => path === '/hook')
    .map(({ body }) => JSON.parse(body) as Notice)
    .filter((notice) => notice.type === type);
const alertsOf = async (kind: string) =>
  (await listAlerts(project)).alerts.filter((alert) => alert.kind === kind);
const isAlerting = async (kind: string): Promise<boolean> =>
  (await alertsOf(kind)).some(({ state }) => state === 'alerting');

let serial = 0;

/** Turns that `integrity` flags or passes, with their true labels. */
async function label(counts: {
  flaggedBad?: number;
  passedBad?: number;
  flaggedGood?: number;
  passedGood?: number;
}): Promise<void> {
  const { key } = await createKey(project, { name: 'k', scopes: ['ingest'] });
  const call = createCaller(stack.runtime, key);
  const tools = [{ id: 'tc1', name: 'disk', result: { used: 42 } }];
  const turns: { id: string; output: string; tools: unknown }[] = [];
  const outcomes: { subject_id: string; success: boolean }[] = [];
  for (const [cell, n] of Object.entries(counts)) {
    for (let i = 0; i < n; i++) {
      const id = `t${++serial}`;
      turns.push({ id, output: cell.startsWith('flagged') ? 'It is 73 %.' : 'It is 42.', tools });
      outcomes.push({ subject_id: id, success: cell.endsWith('Good') });
    }
  }
  expect((await call('/v1/turns', { turns })).status).toBe(202);
  await drainWork(stack.runtime);
  expect((await call('/v1/outcomes', { outcomes })).status).toBe(202);
  await drainWork(stack.runtime);
}

/** Retries of tasks, some of which passed. */
async function retried(passed: number, failed: number): Promise<void> {
  await stack.sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, outcome, verdict, action,
      needs_human_review, decision_state, retries_used, issues, detail, excerpt, created_at)
    select ${project.projectId}, 'ver_r' || n || '_' || ${++serial}::int, 'task', 'task', 1, 'task', 'r' || n || '_' || ${serial}::int, 1,
      case when n <= ${passed} then 'passed' else 'failed' end, 'fail', 'retry', false, 'run', 1, '[]', '{}', '', now()
    from generate_series(1, ${passed + failed}::int) as n`;
}

/** Audited verdicts that a reviewer has ruled on. */
async function audited(good: number, bad: number): Promise<void> {
  await stack.sql`
    insert into judgements (project_id, origin, id, slug, series, version, kind, at, day, subject_id, model, judge, machine, word, cost_usd, excerpt,
      good, truth_of, selection, contested, policy, probability, unread, ruled_at)
    select ${project.projectId}, 'verifier', 'ver_a' || n || '_' || ${++serial}::int, 'task', 'task', 1, 'task', now(), now()::date, 's' || n, '', '',
      'passed', 'pass', 0, '', n <= ${good}, 'override', 'sample', false, 0, 0.1, false, now()
    from generate_series(1, ${good + bad}::int) as n`;
}

async function decisions(ran: number, over: number): Promise<void> {
  await stack.sql`delete from decision_rollups where project_id = ${project.projectId}`;
  await stack.sql`update rules set daily_budget = 95 where project_id = ${project.projectId}`;
  await stack.sql`
    insert into decision_rollups (project_id, day, rule, state, shard, count)
    select ${project.projectId}, (now() at time zone 'UTC')::date, 'integrity', s.state, '', s.n
    from (values ('run', ${ran}::int), ('over_budget', ${over}::int)) as s(state, n)`;
}

async function called(answered: number, failed: number): Promise<void> {
  await stack.sql`
    insert into llm_calls (project_id, id, purpose, attempt, provider, model, state, error_class, latency_ms)
    select ${project.projectId}, 'llm_' || n || '_' || ${++serial}::int, 'judge', 1, 'openai', 'gpt-4o',
      case when n <= ${answered} then 'answered' else 'failed' end, case when n <= ${answered} then null else 'overloaded' end, 1
    from generate_series(1, ${answered + failed}::int) as n`;
}

/** One run of the anchor set in which `passes` of its five good items pass. */
async function anchorRun(passes: number): Promise<void> {
  const { projectId } = project;
  const id = `run_${++serial}`;
  await insertTestAnchors(stack.runtime, project, 'anc').catch(() => undefined);
  await stack.sql`
    insert into anchor_runs (project_id, id, set_id, verifier_version, started_at, ended_at)
    values (${projectId}, ${id}, 'anc', 1, now() + ${serial} * interval '1 ms', now())`;
  await stack.sql`
    insert into anchor_results (project_id, run_id, ordinal, outcome, cost_usd)
    select ${projectId}, ${id}, n, case when n >= 10 - ${passes}::int then 'passed' else 'failed' end, 0 from generate_series(0, 9) as n`;
}

async function trustChange(after: string): Promise<void> {
  await stack.sql`
    insert into trust_changes (project_id, id, verifier_slug, version, judge, after, reason, created_at)
    values (${project.projectId}, ${`tru_${++serial}`}, 'task', 1, '', ${after}, 'A new version of the policy holds.', now() + ${serial} * interval '1 ms')`;
}

async function probe(passed: number): Promise<void> {
  await stack.sql`
    insert into probe_runs (project_id, id, verifier_slug, verifier_version, probe, items, repeats, findings, created_by, started_at, ended_at)
    values (${project.projectId}, ${`prb_${++serial}`}, 'task', 1, 'canaries', 6, 1, ${JSON.stringify({ probe: 'canaries', passed, stopped: 6 - passed })}::text::jsonb, 'test',
      now() + ${serial} * interval '1 ms', now())`;
}

async function work(state: string, n: number): Promise<void> {
  await stack.sql`
    insert into work (project_id, id, subject_kind, subject_id, revision, verifier, state, reason, due_at)
    select ${project.projectId}, 'ver_w' || n || '_' || ${++serial}::int, 'turn', 'w' || n, 1, 'integrity', ${state}, 'It broke.', now() - interval '1 minute'
    from generate_series(1, ${n}::int) as n`;
}

const noWork = async (): Promise<void> =>
  void (await stack.sql`delete from work where project_id = ${project.projectId}`);

interface Line {
  readonly kind: AlertKind;
  readonly series: string;
  /** A value exactly at the limit, which must not alert (SOAR-29). */
  readonly edge?: () => Promise<void>;
  readonly cause: () => Promise<void>;
  readonly cure: () => Promise<void>;
  readonly message: RegExp;
}

const lines: readonly Line[] = [
  {
    kind: 'catch_rate',
    series: 'integrity',
    edge: () => label({ flaggedBad: 12, passedBad: 8 }),
    cause: () => label({ passedBad: 1 }),
    cure: () => label({ flaggedBad: 2 }),
    message: /57\.1% \(12 caught of 21 labelled failures\) in 30 days, below the limit of 60%/,
  },
  {
    kind: 'false_positive_rate',
    series: 'integrity',
    edge: () => label({ flaggedGood: 3, passedGood: 17 }),
    cause: () => label({ flaggedGood: 1 }),
    cure: () => label({ passedGood: 6 }),
    message:
      /Share of false rejections of Integrity: 19% \(4 false rejections in 21 labelled verdicts\)/,
  },
  {
    kind: 'retry_success',
    series: 'task',
    edge: () => retried(10, 10),
    cause: () => retried(0, 1),
    cure: () => retried(1, 0),
    message: /10 passed of 21 retries/,
  },
  {
    kind: 'corrected_pass_rate',
    series: 'task',
    edge: async () => {
      const rule = {
        enabled: true,
        limit: 0.8,
        window_minutes: 7 * 1440,
        no_data: 'keep',
        renotify_minutes: null,
      } as const;
      await putAlertRule(project, { kind: 'corrected_pass_rate', verifier: 'task', rule });
      await audited(19, 0);
    },
    cause: () => audited(0, 60),
    cure: () => audited(900, 0),
    message: /24\.1% of 79 audited verdicts this week were good/,
  },
  {
    kind: 'over_budget',
    series: 'rule:integrity',
    edge: () => decisions(95, 5),
    cause: () => decisions(95, 6),
    cure: () => decisions(200, 6),
    message: /left out 6 of today’s 101 turns/,
  },
  {
    kind: 'judge_outage',
    series: 'openai:gpt-4o',
    edge: () => called(5, 5),
    cause: () => called(0, 1),
    cure: () => called(1, 0),
    message: /6 of 11 calls/,
  },
  {
    kind: 'breaker_open',
    series: 'openai:gpt-4o-mini',
    cause: async () => {
      await stack.sql`
        insert into gateway_breakers (project_id, model, replica, state, failures, problem, changed_at)
        values (${project.projectId}, 'openai:gpt-4o-mini', 'r1', 'open', 5, 'timeout', now())`;
    },
    cure: async () => {
      await stack.sql`update gateway_breakers set reset_at = clock_timestamp() where project_id = ${project.projectId}`;
    },
    message: /open in 1 gateway process: timeout/,
  },
  {
    kind: 'drift',
    series: 'anc',
    edge: async () => {
      await anchorRun(5);
      await anchorRun(5);
    },
    cause: () => anchorRun(10),
    cure: () => anchorRun(10),
    message: /5 wrong/,
  },
  {
    kind: 'trust_lost',
    series: 'task',
    edge: () => trustChange('qualified'),
    cause: () => trustChange('stale'),
    cure: () => trustChange('qualified'),
    message: /was qualified and is now stale: A new version of the policy holds\./,
  },
  {
    kind: 'canary_passed',
    series: 'task',
    edge: () => probe(0),
    cause: () => probe(2),
    cure: () => probe(0),
    message: /let 2 canaries of 6 pass/,
  },
  {
    kind: 'sandbox_down',
    series: 'box',
    edge: async () => {
      await stack.sql`
        insert into verdict_rollups (project_id, day, verifier_slug, model, passed)
        values (${project.projectId}, (now() at time zone 'UTC')::date, 'code', '', 1)`;
    },
    cause: () => setHeartbeat('failing', 0),
    cure: () => setHeartbeat('ready', 0),
    message: /There is no bwrap/,
  },
  {
    kind: 'intake_stalled',
    series: 'work',
    cause: () => work('waiting', 1),
    cure: noWork,
    message: /oldest pending work has waited for 6\d seconds/,
  },
  {
    kind: 'work_set_aside',
    series: 'work',
    cause: () => work('quarantined', 1),
    cure: noWork,
    message: /1 subject is quarantined, the latest: It broke\./,
  },
  {
    kind: 'delivery_dead',
    series: 'dst_dead',
    edge: async () => {
      await stack.sql`
        insert into destinations (project_id, id, kind, name, url, outcomes, created_by) values (${project.projectId}, 'dst_dead', 'webhook',
          '<!channel> <b>https://evil.example</b>', ${at('/away')}, '{}', 'test')`;
    },
    cause: async () => {
      await stack.sql`
        insert into deliveries (project_id, id, destination_id, verdict_id, state, last_error)
        values (${project.projectId}, 'dlv_dead', 'dst_dead', 'ver_x', 'dead', 'the receiver answered 503')`;
    },
    cure: async () => {
      await stack.sql`update deliveries set state = 'delivered' where project_id = ${project.projectId} and id = 'dlv_dead'`;
    },
    message: /1 delivery to .* was abandoned in 1 day, the latest: the receiver answered 503/,
  },
];

test.each(lines)(
  'SOAR-26, SOAR-27, SOAR-28, SOAR-29, SOAR-31, S-63, S-85, S-110 $kind fires and recovers, and webhook, chat and mailboxes are notified of both',
  async (line) => {
    const secret = await destinations();
    send();
    await line.edge?.();
    await checkAlertsNow(project);
    expect(
      await alertsOf(line.kind).then((all) => all.filter(({ state }) => state === 'alerting')),
    ).toEqual([]);
    await line.cause();
    await checkAlertsNow(project);
    const alert = (await alertsOf(line.kind)).find(({ series }) => series === line.series);
    expect(alert).toMatchObject({
      state: 'alerting',
      message: expect.stringMatching(line.message),
      notifiedAt: expect.any(Date),
      href: expect.stringMatching(/^\//),
    });
    expect(await countAlerting(project)).toBe(1);
    await until('notices of its begin', () =>
      notices('alert.began').length === 1 && mails.length === 1 && received.length === 2
        ? true
        : null,
    );
    expect(notices('alert.began')).toMatchObject([
      {
        data: {
          kind: line.kind,
          count: 1,
          alerts: [{ series: line.series, message: alert?.message }],
        },
      },
    ]);
    await line.cure();
    await checkAlertsNow(project);
    expect(await isAlerting(line.kind)).toBe(false);
    await until('notices of its end', () =>
      notices('alert.recovered').length === 1 && mails.length === 2 && received.length === 4
        ? true
        : null,
    );
    for (const { headers, body } of received.filter(({ path }) => path === '/hook'))
      expect(() =>
        new Webhook(secret).verify(body, headers as Record<string, string>),
      ).not.toThrow();
    for (const { body } of received.filter(({ path }) => path !== '/hook'))
      expect((JSON.parse(body) as { text: string }).text).not.toMatch(/<!|<b>|https?:\/\/evil/);
    for (const { to, raw } of mails) {
      expect(to).toEqual(['a@example.org', 'b@example.org']);
      expect(raw).toMatch(/^Auto-Submitted: auto-generated/m);
      // Plain text stays plain text: only the second part is HTML.
      const [, html = ''] = raw.replaceAll('=\r\n', '').split('Content-Type: text/html');
      expect(html).not.toMatch(/<b>|<!channel/);
      expect(raw).not.toMatch(/https?:\/\/evil/);
    }
    const { items } = await listAlertEvents(project, { kind: line.kind, series: line.series });
    expect(items.map(({ event }) => event).filter((event) => event !== 'no_data')).toEqual([
      'recovered',
      'began',
    ]);
    expect(
      items.every(
        ({ event, sent }) => event === 'no_data' || sent.every(({ state }) => state !== 'dead'),
      ),
    ).toBe(true);
  },
);

test('X-3 R-58 a judge outage moves no pass rate', async () => {
  await label({ flaggedBad: 2, passedGood: 2 });
  const rates = async () =>
    (await measureVerifiers(project, { verifier: 'integrity' }))[0]?.rates.passRate;
  const before = await rates();
  await called(0, 50);
  await checkAlertsNow(project);
  expect(await isAlerting('judge_outage')).toBe(true);
  expect(await rates()).toEqual(before);
});

test('R-49 1,000 failures and ten checks give one notice with the count', async () => {
  await destinations();
  send();
  await work('quarantined', 1_000);
  for (let n = 0; n < 10; n++) await checkAlertsNow(project);
  await until('notices', () =>
    notices('alert.began').length > 0 && mails.length > 0 ? true : null,
  );
  expect(notices('alert.began')).toMatchObject([
    {
      data: {
        count: 1,
        alerts: [{ message: expect.stringContaining('1,000 subjects are quarantined') }],
      },
    },
  ]);
  expect([notices('alert.lasts'), mails.length]).toEqual([[], 1]);
  expect((await listDeliveries(project, {})).items).toHaveLength(3);
});

test('R-49 a hundred series of one kind give one notice', async () => {
  await destinations();
  await stack.sql`
    insert into llm_calls (project_id, id, purpose, attempt, provider, model, state, error_class, latency_ms)
    select ${project.projectId}, 'llm_s' || n, 'judge', 1, 'openai', 'm' || n % 100, 'failed', 'timeout', 1 from generate_series(1, 500) as n`;
  await checkAlertsNow(project);
  expect(await countAlerting(project)).toBe(100);
  const rows = await stack.sql<
    { text: string }[]
  >`select text from notices where project_id = ${project.projectId}`;
  expect(rows).toHaveLength(1);
  expect(rows[0]?.text.endsWith('And 90 more.')).toBe(true);
});

test('R-20 without any worker another process checks the rules and sends the notices; a worker takes over', async () => {
  await destinations();
  await stack.sql`delete from worker_boxes`;
  await work('waiting', 1);
  await stack.sql`update projects set created_at = now() - interval '1 hour' where id = ${project.projectId}`;
  const times = { everyMs: 50, absentMs: 1_000, leaseMs: 60_000 };
  running.push(
    watchAlerts(stack.runtime.ctx, {
      signal: stopping.signal,
      isSubstitute: true,
      times,
      pollMs: 20,
    }),
  );
  const isOurs = ({ data }: Notice): boolean =>
    data.kind === 'intake_stalled' && data.alerts.some(({ series }) => series === 'work');
  const began = await until(
    'a notice by the substitute',
    () => notices('alert.began').find(isOurs) ?? null,
  );
  expect(began.data.alerts.map(({ series }) => series)).toEqual(['work', 'workers']);
  await until('by email too', () => (mails.length > 0 ? true : null));
  const readSubstitute = async () =>
    (
      await stack.sql<
        { stand_in: boolean }[]
      >`select stand_in from alert_looks where project_id = ${project.projectId}`
    )[0]?.stand_in;
  expect(await readSubstitute()).toBe(true);
  await setHeartbeat('ready', 0);
  running.push(
    watchAlerts(stack.runtime.ctx, {
      signal: stopping.signal,
      isSubstitute: false,
      times,
      pollMs: 20,
    }),
  );
  await until('a check by a worker', async () =>
    (await readSubstitute()) === false ? true : null,
  );
  await until('recovered', async () =>
    (await alertsOf('intake_stalled')).find(({ series }) => series === 'workers')?.state === 'ok'
      ? true
      : null,
  );
});

test('R-25 judge work that no worker claims alerts, work in progress does not', async () => {
  const { projectId } = project;
  await stack.sql`
    insert into work (project_id, id, subject_kind, subject_id, revision, verifier, lane, due_at)
    values (${projectId}, 'ver_slow', 'task', 's', 1, 'task', 'slow', now() - interval '1 minute'), (${projectId}, 'ver_held', 'task', 'h', 1, 'task', 'slow', now())`;
  await stack.sql`update work set owner = 'w', due_at = now() + interval '1 minute' where project_id = ${projectId} and id = 'ver_held'`;
  await checkAlertsNow(project);
  expect(await isAlerting('intake_stalled')).toBe(false);
  await stack.sql`delete from work where project_id = ${projectId} and id = 'ver_held'`;
  await checkAlertsNow(project);
  expect(
    (await alertsOf('intake_stalled'))
      .filter(({ state }) => state === 'alerting')
      .map(({ series }) => series),
  ).toEqual(['judging']);
});

test('any number of workers check, and one notice is sent', async () => {
  await destinations();
  await work('quarantined', 1);
  const times = { everyMs: 10, absentMs: 60_000, leaseMs: 60_000 };
  for (let n = 0; n < 3; n++)
    running.push(
      watchAlerts(stack.runtime.ctx, {
        signal: stopping.signal,
        isSubstitute: false,
        times,
        pollMs: 5,
      }),
    );
  await until('several checks', async () => {
    const [row] = await stack.sql<{ found: number }[]>`
      select found from alert_states where project_id = ${project.projectId} and kind = 'work_set_aside'`;
    return (row?.found ?? 0) >= 3 ? true : null;
  });
  expect((await listAlertEvents(project, {})).items.map(({ event }) => event)).toEqual(['began']);
  expect((await listDeliveries(project, {})).items).toHaveLength(3);
});

test('a rule is saved, applies from the next check, and is reset; each change leaves its audit row', async () => {
  await work('quarantined', 3);
  const rule = {
    enabled: true,
    limit: 3,
    window_minutes: 1440,
    no_data: 'ok',
    renotify_minutes: null,
  } as const;
  await putAlertRule(project, { kind: 'work_set_aside', verifier: null, rule });
  await checkAlertsNow(project);
  expect(await isAlerting('work_set_aside')).toBe(false);
  await resetAlertRule(project, { kind: 'work_set_aside', verifier: null });
  await checkAlertsNow(project);
  expect(await isAlerting('work_set_aside')).toBe(true);
  await putAlertRule(project, {
    kind: 'work_set_aside',
    verifier: null,
    rule: { ...rule, enabled: false },
  });
  await checkAlertsNow(project);
  expect(await alertsOf('work_set_aside')).toEqual([]);
  expect(
    (await listAlertRules(project)).find(({ kind }) => kind === 'work_set_aside'),
  ).toMatchObject({
    isOwn: true,
    enabled: false,
    limit: 3,
    updatedBy: 'test',
  });
  const actions =
    await stack.sql`select action from audit_events where project_id = ${project.projectId} and action like 'alerts.%' order by id`;
  expect(actions.map(({ action }) => action as string)).toEqual([
    'alerts.put_rule',
    'alerts.reset_rule',
    'alerts.put_rule',
  ]);
  const no = (kind: AlertKind, verifier: string | null, limit: number | null) =>
    expect(
      putAlertRule(project, { kind, verifier, rule: { ...rule, limit } }),
    ).rejects.toMatchObject({
      code: expect.stringMatching(/refused|not_found/),
    });
  await no('catch_rate', null, 1.1);
  await no('catch_rate', null, null);
  await no('breaker_open', null, 1);
  await no('work_set_aside', 'task', 1);
  await no('catch_rate', 'nobody', 0.5);
});

test('a finding is listed while it lasts and after, and acknowledged once; then no notice repeats it', async () => {
  const rule = {
    enabled: true,
    limit: 0.5,
    window_minutes: 60,
    no_data: 'ok',
    renotify_minutes: 60,
  } as const;
  await putAlertRule(project, { kind: 'judge_outage', verifier: null, rule });
  await called(5, 6);
  await checkAlertsNow(project);
  const open = await listFindings(project, { state: 'open', limit: 10 });
  const [finding] = open.items;
  expect(open.items).toMatchObject([
    {
      kind: 'judge_outage',
      series: 'openai:gpt-4o',
      limit: 0.5,
      endedAt: null,
      acknowledged: null,
      message: expect.stringMatching(/6 of 11 calls/),
    },
  ]);
  const id = finding?.id ?? '';
  const events = async (event: string) =>
    (await listAlertEvents(project, { kind: 'judge_outage' })).items.filter(
      (each) => each.event === event,
    );
  const checkAfterTwoHours = async () => {
    await stack.sql`
      update alert_states set notified_at = notified_at - interval '2 hours' where project_id = ${project.projectId}`;
    await checkAlertsNow(project);
  };
  await checkAfterTwoHours();
  expect(await events('lasts')).toHaveLength(1);
  const [first, second] = await Promise.all([
    acknowledgeFinding(project, id, ' Their status page says until noon. '),
    acknowledgeFinding(project, id, ' Their status page says until noon. '),
  ]);
  expect(first.acknowledged).toEqual({
    by: 'test',
    at: expect.any(Date),
    reason: 'Their status page says until noon.',
  });
  expect(second).toEqual(first);
  expect(await alertsOf('judge_outage')).toMatchObject([
    { findingId: id, acknowledged: first.acknowledged },
  ]);
  expect(await events('acknowledged')).toMatchObject([{ by: 'test' }]);
  await checkAfterTwoHours();
  await checkAfterTwoHours();
  expect(await events('lasts')).toHaveLength(1);
  const of = async (filters: object) =>
    (await listFindings(project, { ...filters, limit: 10 })).items.map((each) => each.id);
  expect(await of({ acknowledged: true })).toEqual([id]);
  expect(await of({ acknowledged: false })).toEqual([]);

  await called(20, 0);
  await checkAlertsNow(project);
  expect(await of({ state: 'ended' })).toEqual([id]);
  expect(await of({ state: 'open' })).toEqual([]);
  await called(0, 60);
  await checkAlertsNow(project);
  const [again, before] = (await listFindings(project, { limit: 10 })).items;
  expect(again).toMatchObject({ endedAt: null, acknowledged: null });
  expect(before).toMatchObject({ id, endedAt: expect.any(Date), acknowledged: { by: 'test' } });
  const paged = await listFindings(project, { limit: 1 });
  const cursor = paged.nextCursor ?? undefined;
  expect((await listFindings(project, { limit: 1, cursor })).items).toEqual([before]);

  const other = await createTestProject(stack.runtime);
  expect((await listFindings(other, { limit: 10 })).items).toEqual([]);
  await expect(acknowledgeFinding(other, again?.id ?? '', null)).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a finding that has ended cannot be acknowledged', async () => {
  await called(0, 60);
  await checkAlertsNow(project);
  const [finding] = (await listFindings(project, { kind: 'judge_outage', limit: 1 })).items;
  await called(600, 0);
  await checkAlertsNow(project);
  await expect(acknowledgeFinding(project, finding?.id ?? '', null)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/has ended/),
  });
});

test('S-45 S-47 a test notice goes to the stored address; a refused mailbox fails it and reports only the code', async () => {
  send();
  const make = async (input: Record<string, unknown>) =>
    (await createDestination(project, CreateDestination.parse(input))).destination.id;
  const chat = await make({ kind: 'slack', name: 'chat', url: at('/services/secret') });
  await updateDestination(
    project,
    chat,
    UpdateDestination.parse({ name: 'renamed', url: `http://127.0.0.1:${port(hooks)}` }),
  );
  await sendTest(project, chat);
  await until('the chat', () => received.find(({ path }) => path === '/services/secret') ?? null);
  await expect(sendTest(project, chat)).rejects.toMatchObject({ code: 'rate_limited' });
  const some = await make({ kind: 'email', name: 'some', url: 'nobody@example.org,a@example.org' });
  const none = await make({ kind: 'email', name: 'none', url: 'nobody@example.org' });
  await sendTest(project, some);
  await sendTest(project, none);
  const ended = async (destination: string) =>
    (await listDeliveries(project, { destination })).items.find(
      ({ state }) => state !== 'waiting',
    ) ?? null;
  expect(await until('some', () => ended(some))).toMatchObject({
    state: 'delivered',
    lastError: '1 of 2 addresses refused it',
    subject: expect.stringContaining('Test from'),
  });
  expect(await until('none', () => ended(none))).toMatchObject({
    state: 'dead',
    lastError: 'the mail server answered 550',
    attempts: 1,
  });
  const otlp = await make({ kind: 'otlp', name: 'o', url: at('/otel') });
  await expect(sendTest(project, otlp)).rejects.toMatchObject({ code: 'refused' });
});
